// A static host for what `floe site` writes.
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";

const SUBFOLDER = "/some/place/";
const TYPES = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".css": "text/css",
  ".svg": "image/svg+xml",
  ".wasm": "application/wasm",
  ".webmanifest": "application/manifest+json",
};

/** A static host on this machine that has a folder in a subfolder of its own. @param {string} out */
export async function host(out) {
  const asked = [];
  const server = createServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url, "http://localhost").pathname);
    asked.push(path);
    const inside = normalize(path.slice(SUBFOLDER.length));
    try {
      if (!path.startsWith(SUBFOLDER) || inside.startsWith("..")) throw new Error("elsewhere");
      const bytes = readFileSync(join(out, inside === "." ? "index.html" : inside));
      response.writeHead(200, { "content-type": TYPES[extname(inside)] ?? "text/html" }).end(bytes);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  const stop = () =>
    new Promise((done) => {
      server.close(done);
      server.closeAllConnections();
    });
  return { base: `http://127.0.0.1:${server.address().port}${SUBFOLDER}`, asked, stop };
}
