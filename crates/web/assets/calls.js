// @ts-check
import { element } from "./common.js";

/** Shows whose turn it is while the page is in the background: by the page's title and icon, and where wanted by a sound and a notification. */

/** Soft notes, in hertz, and how long each lasts. */
const SOUNDS = { move: [[330]], turn: [[523], [659]], hurry: [[880]], end: [[523], [659], [784]] };
const [NOTE, LOUD] = [0.12, 0.06];

/** @type {AudioContext | null} */
let audio = null;

export const isSounding = () => localStorage.getItem("sound") === "on";

/** @param {boolean} isOn */
export function setSound(isOn) {
  localStorage.setItem("sound", isOn ? "on" : "off");
  if (isOn) play("turn");
}

/** Plays a sound, if sounds are wanted. @param {keyof typeof SOUNDS} name */
export function play(name) {
  if (!isSounding()) return;
  try {
    audio ??= new AudioContext();
    SOUNDS[name].forEach(([pitch], i) => {
      const [from, tone, volume] = [
        /** @type {AudioContext} */ (audio).currentTime + i * NOTE,
        /** @type {AudioContext} */ (audio).createOscillator(),
        /** @type {AudioContext} */ (audio).createGain(),
      ];
      tone.frequency.value = pitch;
      volume.gain.setValueAtTime(LOUD, from);
      volume.gain.exponentialRampToValueAtTime(0.001, from + 2 * NOTE);
      tone.connect(volume).connect(/** @type {AudioContext} */ (audio).destination);
      tone.start(from);
      tone.stop(from + 2 * NOTE);
    });
  } catch {
    // A browser without sound is silent.
  }
}

/** Whether this page may notify a player who looks elsewhere. */
export const canCall = () => "Notification" in window && isSecureContext;
export const isCalling = () =>
  // A browser asks another process for the permission, which takes milliseconds.
  localStorage.getItem("calls") === "on" && canCall() && Notification.permission === "granted";

/** Asks whether notifications are welcome; whether they are. */
export async function letCall() {
  const isLet = canCall() && (await Notification.requestPermission()) === "granted";
  localStorage.setItem("calls", isLet ? "on" : "off");
  return isLet;
}

export function stopCalling() {
  localStorage.setItem("calls", "off");
}

/** @param {string} title @param {string} body @param {string} id of the game: a newer call replaces the older */
export function call(title, body, id) {
  if (!isCalling() || !document.hidden) return;
  try {
    const made = new Notification(title, { body, tag: id });
    made.onclick = () => {
      focus();
      made.close();
    };
  } catch {
    // Some phones want notifications from a worker alone.
  }
}

const plainTitle = document.title;
const plainIcon = document.querySelector("link[rel=icon]")?.getAttribute("href") ?? "";

/** Marks title and icon. @param {string} words before the plain title; none for the plain one */
export function setTitle(words) {
  const title = words ? `${words} · ${plainTitle}` : plainTitle;
  if (document.title !== title) document.title = title;
  const href = words ? plainIcon.replace("floe.svg", "floe-turn.svg") : plainIcon;
  const link = document.querySelector("link[rel=icon]");
  // Browsers notice a new element more surely than a new address.
  if (link && link.getAttribute("href") !== href)
    link.replaceWith(element("link", { rel: "icon", type: "image/svg+xml", href }));
}
