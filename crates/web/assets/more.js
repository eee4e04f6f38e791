// @ts-check
import { canCall, isCalling, isSounding, letCall, setSound, stopCalling } from "./calls.js";
import { ask, button, copyBy, element, isSite } from "./common.js";

/** What is wanted seldom in a game: a link to watch, the position in any form, sound and calls, keys. */

/** @param {{game: {id: string, game: string}, position: () => Promise<{game: string, position: string, moves: string[]}>, address: () => string}} of */
export async function showMore({ game, position, address }) {
  const dialog = /** @type {HTMLDialogElement} */ (
    element("dialog", { "aria-label": "More", class: "more" })
  );
  const close = button("Close", () => dialog.close());
  dialog.append(
    element("h2", {}, "More"),
    ...(isSite ? [] : linkPart(game.id, address())),
    element("section", {}, element("h3", {}, "Sound and calls"), ...callParts()),
    keysPart(),
    element("div", { class: "acts" }, close),
  );
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
  const forms = await formsPart(position).catch(() => null);
  if (forms) close.parentElement?.before(forms);
}

/** A link with which others watch. @param {string} id @param {string} address */
function linkPart(id, address) {
  const field = /** @type {HTMLInputElement} */ (
    element("input", { readonly: "", "aria-label": "Link to watch" })
  );
  field.value = address;
  const copy = button("Copy link", () => {}, "two");
  copyBy(copy, () => address, field);
  return [
    element(
      "section",
      {},
      element("h3", {}, "Let others watch"),
      element(
        "div",
        { class: "invite" },
        element("div", { class: "link" }, field, copy),
        element("img", {
          class: "qr",
          src: `/game/${id}/qr.svg`,
          alt: "The link as a QR code",
          width: "180",
          height: "180",
        }),
      ),
    ),
  ];
}

/** The position as each family of programs reads it. @param {() => Promise<{game: string, position: string, moves: string[]}>} position */
async function formsPart(position) {
  const { forms } = await ask("/api/v1/forms", await position());
  const buttons = forms.map((/** @type {{name: string, text: string}} */ form) => {
    const one = button(form.name, () => {}, "two");
    copyBy(one, () => form.text);
    return one;
  });
  return element(
    "section",
    {},
    element("h3", {}, "Copy the position as"),
    element("div", { class: "acts" }, ...buttons),
  );
}

/** Sound, and notifications where the browser has them. */
function callParts() {
  const sound = button(
    "",
    () => {
      setSound(!isSounding());
      label();
    },
    "two",
  );
  const calls = button(
    "",
    async () => {
      if (isCalling()) stopCalling();
      else await letCall();
      label();
    },
    "two",
  );
  const label = () => {
    sound.textContent = isSounding() ? "Sound is on" : "Sound is off";
    sound.setAttribute("aria-pressed", String(isSounding()));
    const isDenied = canCall() && Notification.permission === "denied";
    calls.textContent = isDenied
      ? "The browser does not allow calls"
      : isCalling()
        ? "Calling you when it is your turn"
        : "Call me when it is my turn";
    calls.disabled = isDenied;
    calls.setAttribute("aria-pressed", String(isCalling()));
  };
  label();
  const acts = element("div", { class: "acts" }, sound);
  if (canCall()) acts.append(calls);
  return canCall()
    ? [acts]
    : [acts, element("p", { class: "soft note" }, "Browsers offer notifications over HTTPS alone.")];
}

function keysPart() {
  const row = (/** @type {string[]} */ keys, /** @type {string} */ what) =>
    element("li", {}, ...keys.flatMap((key) => [element("kbd", {}, key), " "]), what);
  return element(
    "section",
    {},
    element("h3", {}, "Keys"),
    element(
      "ul",
      { class: "plain" },
      row(["Tab"], "to the board, then arrows and Enter"),
      row(["Esc"], "lets a piece go"),
      row(["1", "9"], "choose a key below the board"),
      row(["←", "→"], "step through the game"),
      row(["+", "−", "0"], "zoom a large board"),
    ),
  );
}
