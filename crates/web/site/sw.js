// @ts-check
// The pages of `floe site` without a network: everything is kept when it is first opened. The two
// lines that begin with `const` are written by `floe site`.
/** @type {string} */
const VERSION = "VERSION";
/** @type {string[]} */
const FILES = [];

const worker = /** @type {any} */ (self);

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
  if (request.method !== "GET" || new URL(request.url).origin !== worker.location.origin) return;
  const found = async () => {
    const cache = await caches.open(VERSION);
    // An address with a question is the page before it.
    const kept = await cache.match(request, { ignoreSearch: true });
    if (kept) return kept;
    // A folder is its first page.
    return (request.url.endsWith("/") && (await cache.match(`${request.url}index.html`))) || fetch(request);
  };
  event.respondWith(found());
});
