// @ts-check
// The pages of `floe site` without a network: everything is kept when it is first opened. The two
// lines that begin with `const` are written by `floe site`.
/** @type {string} */
const VERSION = "VERSION";
/** @type {string[]} */
const FILES = [];

const worker = /** @type {any} */ (self);
/** The files that are kept. @type {Promise<Cache> | undefined} */
let kept;

worker.addEventListener("install", (/** @type {any} */ event) => {
  event.waitUntil(caches.open(VERSION).then((cache) => cache.addAll(FILES)));
});

worker.addEventListener("activate", (/** @type {any} */ event) => {
  const forget = async () => {
    const own = VERSION.split(" ")[0];
    for (const name of await caches.keys()) if (name !== VERSION && name.split(" ")[0] === own) await caches.delete(name);
    await worker.clients.claim();
  };
  event.waitUntil(forget());
});

worker.addEventListener("message", (/** @type {any} */ event) => {
  if (event.data === "use") worker.skipWaiting();
});

worker.addEventListener("fetch", (/** @type {any} */ event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== worker.location.origin) return;
  const found = async () => {
    const cache = await (kept ??= caches.open(VERSION));
    // An address with a question is the page before it. Cut here: with `ignoreSearch` browsers look through
    // all files for each. A folder is its first page.
    const file = pathname.endsWith("/") ? `${pathname}index.html` : pathname;
    return (await cache.match(origin + file)) ?? fetch(request);
  };
  event.respondWith(found());
});
