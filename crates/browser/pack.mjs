// Packs a file by brotli as well as it can, beside it: `node crates/browser/pack.mjs FLOE.wasm`
import { readFileSync, writeFileSync } from "node:fs";
import { brotliCompressSync, constants } from "node:zlib";

const [file] = process.argv.slice(2);
const bytes = readFileSync(file);
const params = {
  [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
  [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
};
const packed = brotliCompressSync(bytes, { params });
writeFileSync(`${file}.br`, packed);
console.log(`${file}.br: ${packed.length} bytes`);
