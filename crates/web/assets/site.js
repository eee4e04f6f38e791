// @ts-check
import { button, element } from "./common.js";
import { t } from "./language.js";

/** Keeps the pages for when there is no network, and says when there are newer ones. */
const root = document.documentElement.dataset.root;
if (root !== undefined && "serviceWorker" in navigator && location.protocol !== "file:") {
  const hadOne = navigator.serviceWorker.controller !== null;
  let isReloading = false;
  navigator.serviceWorker.addEventListener("controllerchange", () => {
    if (!hadOne || isReloading) return;
    isReloading = true;
    location.reload();
  });
  void navigator.serviceWorker
    .register(`${document.documentElement.dataset.files ?? root}sw.js`)
    .then((registration) => {
      // A browser may refuse to keep anything.
      if (!registration) return;
      const offer = () => {
        const waiting = registration.waiting;
        if (!waiting || !navigator.serviceWorker.controller || document.getElementById("update")) return;
        const notice = element(
          "p",
          { id: "update", class: "update", role: "status" },
          `${t("A new version of these pages is ready.")} `,
          button(t("Use it now"), () => waiting.postMessage("use")),
        );
        document.querySelector("main")?.before(notice);
      };
      offer();
      registration.addEventListener("updatefound", () =>
        registration.installing?.addEventListener("statechange", offer),
      );
    });
}
