// @ts-check
import "./board.js";
import { element, isSite } from "./common.js";
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
