// A thread of Node as a browser's worker.
import { parentPort } from "node:worker_threads";
import { serve } from "../floe.js";

const scope = { onmessage: null, postMessage: (answer) => parentPort.postMessage(answer) };
serve(scope);
parentPort.on("message", (data) => scope.onmessage({ data }));
