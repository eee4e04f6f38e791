// @ts-check
import { canCall, isCalling, isSounding, letCall, setSound, stopCalling } from "./calls.js";
import { ask, button, copyBy, element, isSite } from "./common.js";
import { t } from "./language.js";

/** What is wanted seldom in a game: a link to watch, the position in any form, sound and calls, keys. */

/** @param {{game: {id: string, game: string}, position: () => Promise<{game: string, position: string, moves: string[]}>, address: () => string}} of */
export async function showMore({ game, position, address }) {
  const dialog = /** @type {HTMLDialogElement} */ (
    element("dialog", { "aria-label": t("More"), class: "more" })
  );
  const close = button(t("Close"), () => dialog.close());
  dialog.append(
    element("h2", {}, t("More")),
    ...(isSite ? [] : linkPart(game.id, address())),
    element("section", {}, element("h3", {}, t("Sound and calls")), ...callParts()),
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
    element("input", { readonly: "", "aria-label": t("Link to watch") })
  );
  field.value = address;
  const copy = button(t("Copy link"), () => {}, "two");
  copyBy(copy, () => address, field);
  return [
    element(
      "section",
      {},
      element("h3", {}, t("Let others watch")),
      element(
        "div",
        { class: "invite" },
        element("div", { class: "link" }, field, copy),
        element("img", {
          class: "qr",
          src: `/game/${id}/qr.svg`,
          alt: t("The link as a QR code"),
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
    element("h3", {}, t("Copy the position as")),
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
    sound.textContent = isSounding() ? t("Sound is on") : t("Sound is off");
    sound.setAttribute("aria-pressed", String(isSounding()));
    const isDenied = canCall() && Notification.permission === "denied";
    calls.textContent = isDenied
      ? t("The browser does not allow calls")
      : isCalling()
        ? t("Calling you when it is your turn")
        : t("Call me when it is my turn");
    calls.disabled = isDenied;
    calls.setAttribute("aria-pressed", String(isCalling()));
  };
  label();
  const acts = element("div", { class: "acts" }, sound);
  if (canCall()) acts.append(calls);
  return canCall()
    ? [acts]
    : [acts, element("p", { class: "soft note" }, t("Browsers offer notifications only over HTTPS."))];
}

function keysPart() {
  const row = (/** @type {string[]} */ keys, /** @type {string} */ what) =>
    element("li", {}, ...keys.flatMap((key) => [element("kbd", {}, key), " "]), what);
  return element(
    "section",
    {},
    element("h3", {}, t("Keys")),
    element(
      "ul",
      { class: "plain" },
      row(["Tab"], t("to the board, then arrows and Enter")),
      row(["Esc"], t("lets a piece go")),
      row(["1", "9"], t("choose a key below the board")),
      row(["←", "→"], t("step through the game")),
      row(["+", "−", "0"], t("zoom a large board")),
    ),
  );
}
