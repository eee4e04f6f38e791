// @ts-check
import { element } from "./common.js";
import { seatColour, svg } from "./drawing.js";
import { t } from "./language.js";
import { aheadWords } from "./thoughts.js";

const [WIDTH, HEIGHT, EDGE] = [320, 90, 4];

/**
 * Who was ahead at every position of a line: a graph that one can click, and its numbers below. The
 * server draws the same for those without a script.
 * @typedef {{scores: number[], shares: number[], best?: string, proven?: boolean}} Worth
 * @typedef {{move: string, worth: Worth | null, seat?: number, sign?: string, about?: string, number?: number, isTheirs?: boolean}} Shown a position, by the move that led to it and who made it
 */
export class Graph {
  /** @param {string[]} names of the seats @param {(ply: number) => void} look */
  constructor(names, look) {
    this.names = names;
    this.look = look;
    this.body = element("tbody");
    const heads = [t("Move"), t("Played"), t("Ahead then"), t("Best there")].map((head) =>
      element("th", { scope: "col" }, head),
    );
    const table = element("table", {}, element("thead", {}, element("tr", {}, ...heads)), this.body);
    const numbers = element(
      "details",
      { class: "numbers" },
      element("summary", {}, t("Numbers")),
      element("div", { class: "scroll", tabindex: "0", role: "group", "aria-label": t("Numbers") }, table),
    );
    this.drawing = svg("svg");
    /** The numbers of turning points, which a drawing that is stretched cannot have. */
    this.points = element("div", { class: "graph-points", "aria-hidden": "true" });
    const box = element("div", { class: "graph-box" }, this.drawing, this.points);
    this.root = element("figure", { class: "figure" }, box, numbers);
  }

  /** The number of a turning point, where it is in the drawing. @param {Shown} shown @param {number} ply @param {number} length */
  pointAt({ number, worth, seat, isTheirs }, ply, length) {
    const share = worth?.shares[worth.shares.length === 2 ? 0 : (seat ?? 1) - 1];
    if (!number || share === undefined) return [];
    const point = element("span", { class: `point-badge${isTheirs ? " them" : ""}` }, String(number));
    const x = length > 1 ? (ply / (length - 1)) * (WIDTH - 2 * EDGE) + EDGE : WIDTH / 2;
    point.style.left = `${((100 * x) / WIDTH).toFixed(2)}%`;
    point.style.top = `${((100 * ((1 - share) * (HEIGHT - 2 * EDGE) + EDGE)) / HEIGHT).toFixed(2)}%`;
    point.onclick = () => this.look(ply - 1);
    return [point];
  }

  /** Draws what is known. @param {Shown[]} line @param {number} now where one stands */
  show(line, now) {
    const drawing = drawnGraph(line, now);
    drawing.addEventListener("click", (event) => {
      const box = drawing.getBoundingClientRect();
      const { clientX } = /** @type {MouseEvent} */ (event);
      const part = (((clientX - box.left) / box.width) * WIDTH - EDGE) / (WIDTH - 2 * EDGE);
      this.look(Math.max(0, Math.min(line.length - 1, Math.round(part * (line.length - 1)))));
    });
    this.drawing.replaceWith(drawing);
    this.drawing = drawing;
    this.points.replaceChildren(...line.flatMap((shown, ply) => this.pointAt(shown, ply, line.length)));
    this.body.replaceChildren(
      ...line.flatMap(({ move, worth, sign }, ply) => {
        if (!worth) return [];
        const cells = [
          String(ply),
          ply === 0 ? t("the start") : move + (sign ?? ""),
          aheadWords(worth, this.names),
          worth.best ?? "",
        ];
        const row = element("tr", {}, ...cells.map((cell) => element("td", {}, cell)));
        if (ply === now) row.setAttribute("aria-current", "true");
        return [row];
      }),
    );
  }
}

/** @param {Shown[]} line @param {number} now */
export function drawnGraph(line, now) {
  const x = (/** @type {number} */ ply) =>
    line.length > 1 ? (ply / (line.length - 1)) * (WIDTH - 2 * EDGE) + EDGE : WIDTH / 2;
  const y = (/** @type {number} */ share) => (1 - share) * (HEIGHT - 2 * EDGE) + EDGE;
  const root = svg("svg", {
    class: "plot graph",
    width: "100%",
    height: HEIGHT,
    viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
    preserveAspectRatio: "none",
    role: "img",
    "aria-label": t("Who was ahead, move by move"),
  });
  const known = line.flatMap(({ worth }, ply) => (worth ? [{ ply, shares: worth.shares }] : []));
  const seats = known[0]?.shares.length ?? 2;
  const places = (/** @type {number} */ seat) => known.map(({ ply, shares }) => [x(ply), y(shares[seat])]);
  const middle = HEIGHT / 2;
  if (seats > 2) {
    for (let seat = 0; seat < seats; seat++)
      root.append(svg("path", { class: `course o${seatColour(seat + 1)}`, d: path(places(seat)) }));
  } else if (known.length > 1) {
    const points = crossed(places(0), middle);
    const close = `L${points[points.length - 1][0].toFixed(1)} ${middle}L${points[0][0].toFixed(1)} ${middle}Z`;
    const bent = (/** @type {(a: number, b: number) => number} */ pick) =>
      path(points.map(([px, py]) => [px, pick(py, middle)]));
    root.append(
      svg("path", { class: "above", d: bent(Math.min) + close }),
      svg("path", { class: "below", d: bent(Math.max) + close }),
      svg("path", { class: "worth", d: path(points) }),
    );
  } else if (known.length === 1) {
    // A line without length has round ends, and stays round where the graph is stretched.
    root.append(svg("path", { class: "alone", d: `${path(places(0))}h0` }));
  }
  if (seats === 2) root.append(svg("line", { class: "zero", x1: 0, x2: WIDTH, y1: middle, y2: middle }));
  root.append(svg("line", { class: "now", x1: x(now), x2: x(now), y1: 0, y2: HEIGHT }));
  line.forEach(({ worth, seat, sign, about, number }, ply) => {
    const share = worth?.shares[seats === 2 ? 0 : (seat ?? 0) - 1];
    if (!sign || number || share === undefined) return;
    const dot = svg("path", { class: "slip-dot", d: `${path([[x(ply), y(share)]])}h0` });
    if (about) dot.append(Object.assign(svg("title"), { textContent: about }));
    root.append(dot);
  });
  return root;
}

/** @param {number[][]} points */
function path(points) {
  return `M${points.map(([px, py]) => `${px.toFixed(1)} ${py.toFixed(1)}`).join("L")}`;
}

/** The points, and those between them where their line goes through the middle. @param {number[][]} points @param {number} middle */
function crossed(points, middle) {
  return points.flatMap(([px, py], i) => {
    if (i === 0) return [[px, py]];
    const [bx, by] = points[i - 1];
    if ((by - middle) * (py - middle) >= 0) return [[px, py]];
    return [
      [bx + ((middle - by) / (py - by)) * (px - bx), middle],
      [px, py],
    ];
  });
}
