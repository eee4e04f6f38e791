// @ts-check
import "./board.js";
import "./common.js";
import { showTables } from "./tables.js";

const live = document.getElementById("live");
if (live) showTables(live, live.dataset.of ? `tables=${encodeURIComponent(live.dataset.of)}` : "tables");
