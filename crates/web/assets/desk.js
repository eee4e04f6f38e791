// @ts-check
/** The desk and its page of machines: what happens is shown as it happens, and people are found by a few letters. */
import { byId } from "./common.js";

/** How often the page is looked at again, in milliseconds. */
const OFTEN = 3000;

/** Whether a part of the page is in use. @param {Element} part */
function isUsed(part) {
  return part.contains(document.activeElement) || part.querySelector("details[open] form") !== null;
}

async function renew() {
  if (document.hidden) return;
  // The page itself, also where a button's answer is shown.
  const text = await fetch(`/${location.pathname.split("/")[1]}`).then(
    (response) => (response.ok ? response.text() : ""),
    () => "",
  );
  const page = new DOMParser().parseFromString(text, "text/html");
  for (const part of document.querySelectorAll("[data-live]")) {
    const now = page.getElementById(part.id);
    if (now && !isUsed(part) && now.innerHTML !== part.innerHTML) part.replaceWith(document.adoptNode(now));
  }
}

function find() {
  const field = /** @type {HTMLInputElement | null} */ (document.getElementById("find"));
  if (!field) return;
  const label = /** @type {HTMLElement} */ (field.closest("label"));
  label.hidden = false;
  field.oninput = () => {
    const wanted = field.value.trim().toLowerCase();
    for (const row of /** @type {HTMLTableElement} */ (byId("people")).tBodies[0].rows) {
      row.hidden = ![0, 1].some((at) => (row.cells[at].textContent ?? "").toLowerCase().includes(wanted));
    }
  };
}

if (document.getElementById("people")) find();
setInterval(() => {
  renew();
}, OFTEN);
