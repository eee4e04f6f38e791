// @ts-check
import "./board.js";
import { button, element, isSite } from "./common.js";
import { t, translated } from "./language.js";

/** The games that this browser keeps, on pages without a server. */
const list = document.getElementById("kept");
if (list && isSite) {
  const [local, { floe }] = await Promise.all([import("./local.js"), import("./module.js")]);
  const games = local.all();
  const titles = new Map((await (await floe()).games()).map(({ name, title }) => [name, title]));
  list.replaceChildren(
    ...games.map((game) => {
      const names = game.opening.seats.map((/** @type {{name: string}} */ seat) => seat.name).join(" – ");
      const link = element(
        "a",
        { href: local.addressOf(game.opening.id) },
        element("b", {}, translated(titles.get(game.opening.game) ?? game.opening.game)),
        ` ${names}`,
      );
      const file = element(
        "a",
        {
          class: "quiet",
          download: `${game.opening.id}.jsonl`,
          href: URL.createObjectURL(new Blob([local.record(game)], { type: "application/jsonl" })),
        },
        t("Record"),
      );
      return element(
        "li",
        {},
        link,
        " ",
        element("span", { class: "soft" }, game.end ? t("finished") : t("under way")),
        " ",
        file,
      );
    }),
  );
  const none = document.getElementById("none");
  if (none) none.hidden = games.length > 0;
}

/** Finished games of one kind alone. */
const [rows, filter] = [
  /** @type {HTMLElement[]} */ ([...document.querySelectorAll(".own-list [data-title]")]),
  document.getElementById("filter"),
];
const titlesOfRows = [...new Set(rows.map((row) => row.dataset.title ?? ""))];
if (filter && titlesOfRows.length > 1) {
  filter.hidden = false;
  const choices = ["", ...titlesOfRows].map((title) => {
    const choice = button(title || t("All"), () => {
      for (const row of rows) row.hidden = title !== "" && row.dataset.title !== title;
      for (const other of choices) other.setAttribute("aria-pressed", String(other === choice));
    });
    choice.setAttribute("aria-pressed", String(title === ""));
    return choice;
  });
  filter.replaceChildren(...choices);
}
