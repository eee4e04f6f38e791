// @ts-check
import { seatColour, seatSign, svg } from "./drawing.js";
import { button, clockText, element, isSite } from "./common.js";
import { count, t, translated } from "./language.js";

/**
 * The parts beside a board that several pages have.
 * @typedef {import("./board.js").Picture} Picture
 * @typedef {import("./board.js").Pick} Pick
 * @typedef {import("./board.js").FloeBoard} FloeBoard
 */

/** Where assets are, without a server too. */
const assetRoot = isSite ? `${document.documentElement.dataset.files}assets/` : "/assets/";
/** The faces of the engines' levels, and of who has not come yet. */
const FACES = /** @type {Record<string, string>} */ ({
  beginner: "easy",
  easy: "easy",
  medium: "medium",
  hard: "hard",
  max: "hard",
  open: "friend",
});

/** A name as people read it. @param {string} name */
export function shownName(name) {
  return name.replace(/^floe:/, "floe · ");
}

/** The same in the page's language: the level of an engine is a word of it. @param {string} name */
export function nameWords(name) {
  return /^(floe · \w+|guest|waiting for a friend)$/.test(name) ? translated(name) : name;
}

/** A penguin in the player's colour: ink and path of each part, in a box of 24. */
const PENGUIN = [
  [
    "owner",
    "M12 2.5c-4 0-6.3 3-6.3 7 0 2.2-1.8 4-1.8 7.6 0 4.2 3.2 6.4 8.1 6.4s8.1-2.2 8.1-6.4c0-3.6-1.8-5.4-1.8-7.6 0-4-2.3-7-6.3-7z",
  ],
  [
    "light",
    "M12 10c-2.4 0-4.4 2.7-4.4 6s2 6 4.4 6 4.4-2.7 4.4-6-2-6-4.4-6zM8 7.8a1.8 1.8 0 1 0 3.6 0a1.8 1.8 0 1 0-3.6 0zM12.4 7.8a1.8 1.8 0 1 0 3.6 0a1.8 1.8 0 1 0-3.6 0z",
  ],
  ["dark", "M9.3 8a.9.9 0 1 0 1.8 0a.9.9 0 1 0-1.8 0zM12.9 8a.9.9 0 1 0 1.8 0a.9.9 0 1 0-1.8 0z"],
  ["bright", "M10.4 9.8h3.2L12 12.4z"],
];

/** The face of the reader. @param {number} seat */
function ownFace(seat) {
  const face = svg("svg", {
    class: `face o${seatColour(seat)}`,
    viewBox: "-7.5 -6.5 39 39",
    "aria-hidden": "true",
  });
  face.append(svg("circle", { class: "face-ground", cx: 12, cy: 13, r: 19.5 }));
  for (const [ink, path] of PENGUIN) face.append(svg("path", { class: `ink-${ink}`, d: path }));
  return face;
}

/** A player's face: an engine's level has one, and a seat that is free; every player has a sign. @param {string} name @param {number} seat */
export function faceOf(name, seat) {
  const level = FACES[name === "waiting for a friend" ? "open" : (name.match(/^floe · (\w+)$/)?.[1] ?? "")];
  const sign = seatSign(seat);
  if (name === t("you")) return element("span", { class: "av" }, ownFace(seat), sign);
  // Reports stand alone and have no files beside them.
  if (!level || !location.protocol.startsWith("http")) return element("span", { class: "av" }, sign);
  return element(
    "span",
    { class: "av" },
    element("img", {
      class: "face",
      src: `${assetRoot}face-${level}.svg`,
      alt: "",
      width: "40",
      height: "40",
    }),
    sign,
  );
}

/**
 * Who plays, with scores and clocks. Cards stay while their number does, so that nothing jumps.
 * @typedef {{name: string, isOn: boolean, score: number, note: string, clock?: string | null, seat: number, tag?: string, isOpen?: boolean, isWinner?: boolean}} SeatCard
 * @param {HTMLElement} into @param {SeatCard[]} seats
 */
export function showSeats(into, seats) {
  if (into.querySelectorAll(".seat > .av").length !== seats.length) {
    into.replaceChildren(
      ...seats.map(({ seat }) =>
        element(
          "li",
          { class: `seat o${seatColour(seat)}` },
          element("span", { class: "av" }),
          element("span", { class: "name" }, element("b"), element("span", { class: "note" })),
          element("span", { class: "score" }),
          element("span", { class: "clock" }),
        ),
      ),
    );
  }
  const set = (/** @type {Element | null} */ part, /** @type {string} */ text) => {
    if (part && part.textContent !== text) part.textContent = text;
  };
  seats.forEach((seat, i) => {
    const card = into.children[i];
    const name = card.querySelector("b");
    const words = nameWords(seat.name);
    if (name?.textContent !== words) card.querySelector(".av")?.replaceWith(faceOf(seat.name, seat.seat));
    set(name, words);
    set(card.querySelector(".note"), seat.note);
    set(card.querySelector(".score"), String(seat.score));
    set(card.querySelector(".clock"), seat.clock ?? "");
    card.classList.toggle("on", seat.isOn || !!seat.isWinner);
    card.classList.toggle("open", !!seat.isOpen);
    if (seat.isOn) card.setAttribute("aria-current", "true");
    else card.removeAttribute("aria-current");
    const tag = card.querySelector(".tag");
    if (!seat.tag) tag?.remove();
    else if (tag) set(tag, seat.tag);
    else card.append(element("span", { class: "tag" }, seat.tag));
  });
}

/**
 * The moves, each of which can be looked at.
 * @param {HTMLElement} into @param {{text: string, fault?: unknown, seat: number, slip?: string, ms?: number, stderr?: string}[]} moves @param {number} shown how many are made on the board @param {(ply: number) => void} look
 */
export function showMoves(into, moves, shown, look) {
  // Where there is room, with times and what programs wrote.
  const timed = "times" in into.dataset;
  const longest = Math.max(1, ...moves.map((move) => move.ms ?? 0));
  into.replaceChildren(
    ...moves.map((move, i) => {
      const made = button(
        (move.fault ? translated(move.text) : move.text) + (move.slip ?? ""),
        () => look(i + 1),
        move.fault ? "fault" : move.slip ? "slip" : "",
      );
      if (i + 1 === shown) made.setAttribute("aria-current", "true");
      if (!timed) return element("li", {}, made);
      const bar = element("i", { class: `o${seatColour(move.seat)}` });
      bar.style.width = `${((100 * (move.ms ?? 0)) / longest).toFixed(1)}%`;
      return element(
        "li",
        made.hasAttribute("aria-current") ? { class: "now" } : {},
        element("span", { class: "mover" }, seatSign(move.seat)),
        made,
        element("span", { class: "spent" }, `${move.ms ?? 0} ms`, bar),
        element("code", { class: "wrote" }, move.stderr?.trim().split("\n", 1)[0] ?? ""),
      );
    }),
  );
  revealSoon(into);
}

/** Lists whose current move is to be brought into sight with the next frame. @type {Set<HTMLElement>} */
const hiding = new Set();

/** Brings the current move of a list into sight once it is laid out: asking earlier would lay the page out twice. @param {HTMLElement} list */
function revealSoon(list) {
  if (hiding.has(list)) return;
  hiding.add(list);
  requestAnimationFrame(() => {
    hiding.delete(list);
    const current = list.querySelector("[aria-current]");
    if (!current) return;
    const [box, line] = [list.getBoundingClientRect(), current.getBoundingClientRect()];
    if (line.top < box.top || line.bottom > box.bottom)
      list.scrollTop += line.top - box.top - list.clientHeight / 2;
  });
}

/** A move as it is read: a dot alone would look like the end of a sentence. @param {string} move */
export function moveText(move) {
  return move === "." ? "·" : move;
}

/**
 * A player's action, in a sentence.
 * @param {{text: string, fault?: unknown}} turn @param {string} who @param {Pick | null} [last] what it did to the board, if that is known
 */
export function turnWords(turn, who, last = null) {
  const isYou = who === t("you");
  const name = nameWords(who);
  if (turn.fault && turn.text === "resigned")
    return isYou ? t("You resigned.") : t("{name} resigned.", { name });
  if (turn.fault) {
    const reason = translated(turn.text);
    return isYou ? t("You are out: {reason}.", { reason }) : t("{name} is out: {reason}.", { name, reason });
  }
  if (turn.text === "-") return isYou ? t("You passed.") : t("{name} passed.", { name });
  const taken = last?.takes?.length ?? 0;
  const move = moveText(turn.text);
  if (taken < 2)
    return isYou ? t("You played {move}.", { move }) : t("{name} played {move}.", { name, move });
  return isYou
    ? count("You played {move} and took {n} field.", "You played {move} and took {n} fields.", taken, {
        move,
      })
    : count("{name} played {move} and took {n} field.", "{name} played {move} and took {n} fields.", taken, {
        name,
        move,
      });
}

/**
 * A line below another in which what happened is said, to screen readers too.
 * @param {HTMLElement} say @returns {(text: string) => void}
 */
export function addNews(say) {
  const news = element("p", { class: "news", role: "status" });
  say.after(news);
  return (text) => {
    if (news.textContent !== text) news.textContent = text;
  };
}

/** The keys of one game's hues, in one order: those that cannot be chosen stay, and say whose they are. @param {FloeBoard} board @param {Pick[]} keyed @param {(pick: Pick) => void} make */
function hueKeys(board, keyed, make) {
  const picture = /** @type {Picture} */ (board.picture);
  const glyphs = new Map(
    [...picture.shades].flatMap((shade, place) =>
      shade >= "A" && shade <= "Z" ? [[shade, picture.glyphs[place]]] : [],
    ),
  );
  const picks = new Map(keyed.map((pick) => [pick.move, pick]));
  for (const pick of keyed) if (![...glyphs.values()].includes(pick.move)) return null;
  const moving = keyed[0]?.seat;
  return [...glyphs]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([shade, glyph]) => {
      const pick = picks.get(glyph);
      const key = button("", () => pick && make(pick), `key h${shade}`);
      const holder =
        picture.owners[
          [...picture.shades].findIndex((other, place) => other === shade && picture.owners[place] > 0)
        ];
      key.append(
        element("span", { class: "g" }, moveText(glyph)),
        element("span", { class: "hidden" }, " "),
        element(
          "span",
          { class: "w" },
          pick ? `+${pick.gain}` : holder === moving && moving ? t("yours") : t("taken"),
        ),
      );
      key.disabled = !pick;
      key.dataset.move = glyph;
      if (pick) showGain(key, board, pick);
      return key;
    });
}

/** Marks what a move would take while its button has the pointer or the focus. @param {HTMLElement} one @param {FloeBoard} board @param {Pick} pick */
function showGain(one, board, pick) {
  one.onpointerenter = one.onfocus = () => board.preview(pick.takes ?? []);
  one.onpointerleave = one.onblur = () => board.preview([]);
}

/** Asks before something that cannot be undone: the safe answer is the first. @param {string} question @param {string} about @param {string} safe @param {string} sure @returns {Promise<boolean>} */
export function confirmed(question, about, safe, sure) {
  return new Promise((done) => {
    const dialog = /** @type {HTMLDialogElement} */ (
      element("dialog", { "aria-label": question }, element("h2", {}, question))
    );
    const end = (/** @type {boolean} */ isSure) => {
      dialog.close();
      dialog.remove();
      done(isSure);
    };
    if (about) dialog.append(element("p", {}, about));
    dialog.append(
      element(
        "div",
        { class: "acts" },
        button(safe, () => end(false)),
        button(sure, () => end(true), "danger"),
      ),
    );
    dialog.addEventListener("cancel", (event) => {
      event.preventDefault();
      end(false);
    });
    document.body.append(dialog);
    dialog.showModal();
  });
}

/**
 * Buttons for moves that are not made by pointing at one field, and for special kinds of moves.
 * @param {HTMLElement} into @param {FloeBoard} board @param {Pick[]} picks @param {(pick: Pick) => void} make @param {(() => void) | null} pass
 */
export function showPicks(into, board, picks, make, pass) {
  const keyed = picks.filter((pick) => pick.to === undefined && !pick.special);
  const specials = [...new Set(picks.flatMap((pick) => (pick.special ? [pick.special] : [])))];
  /** @type {HTMLElement[]} */ const made =
    (keyed.length ? hueKeys(board, keyed, make) : null) ??
    keyed.map((pick) => {
      const one = button(`${moveText(pick.move)} +${pick.gain}`, () => make(pick), "two");
      one.dataset.move = pick.move;
      showGain(one, board, pick);
      return one;
    });
  for (const special of specials) {
    const one = button(
      translated(special[0].toUpperCase() + special.slice(1)),
      () => {
        const isOn = board.special === special;
        board.choose(isOn ? null : special);
        one.setAttribute("aria-pressed", String(!isOn));
      },
      "two",
    );
    one.setAttribute("aria-pressed", "false");
    made.push(one);
  }
  if (pass)
    made.push(
      button(
        t("Pass"),
        async () => {
          const [question, about] = [t("Pass this turn?"), t("The opponent moves next.")];
          if (await confirmed(question, about, t("Play on"), t("Pass"))) pass();
        },
        "two",
      ),
    );
  into.replaceChildren(...made);
  into.hidden = made.length === 0;
}

/** The bar of who is ahead. @param {HTMLElement} bar @param {number[]} shares of every seat @param {string} text */
export function showBar(bar, shares, text) {
  const parts = shares.map((share, i) => {
    const part = element("i", { class: `o${seatColour(i + 1)}` });
    part.style.flexGrow = share.toFixed(3);
    return part;
  });
  bar.replaceChildren(...parts, element("span", {}, text));
  bar.hidden = false;
}
