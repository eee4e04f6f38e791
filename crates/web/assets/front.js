// @ts-check
import "./board.js";
import "./common.js";
import { FloeBoard } from "./board.js";
import { follow } from "./live.js";

const cards = /** @type {HTMLElement[]} */ ([...document.querySelectorAll("[data-game]")]);
if (document.getElementById("live")) {
  const topics = cards.map((card) => `game=${card.dataset.game}`);
  follow([...topics, "listing"].join("&"), {
    state: ({ game, state }) => {
      const board = document.querySelector(`[data-game="${game}"] floe-board`);
      if (board instanceof FloeBoard) board.show(state.picture, state.last, true);
    },
  });
}
