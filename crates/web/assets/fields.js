// @ts-check
import { CELL, areasOf, cornerOf, outlineOf } from "./areas.js";
import { SIGNS, columnName, seatColour, svg } from "./drawing.js";

/** @typedef {import("./board.js").Picture} Picture */

/** Boards with more fields are drawn in few large shapes, without details. */
const DETAILED = 2500;

/** The fields of a position and what stands on them, without marks. */
export class Fields {
  /** @param {Picture} picture @param {number} number of the board, which its emblems are named by */
  constructor(picture, number) {
    this.picture = picture;
    this.number = number;
  }

  /** @param {number} place @returns {[number, number]} */
  at(place) {
    return cornerOf(place, this.picture.width);
  }

  /** Draws all of it. @param {SVGElement} root @param {boolean} isLabelled */
  drawOn(root, isLabelled) {
    const { width, height, shades, level } = this.picture;
    const isSea = shades.includes("~") || level !== null;
    root.append(svg("rect", { x: -3, y: -3, width: width * CELL + 6, height: height * CELL + 6, rx: 10, class: isSea ? "sea" : "paper" }));
    this.defineEmblems(root);
    if (width * height > DETAILED) this.drawRoughly(root);
    else this.drawFinely(root);
    if (isLabelled) this.drawLabels(root);
  }

  /** @param {SVGElement} root */
  defineEmblems(root) {
    const { picture } = this;
    const defs = svg("defs");
    for (const [name, emblem] of Object.entries({ level: picture.level, piece: picture.piece })) {
      if (!emblem) continue;
      const symbol = svg("symbol", { id: `e${this.number}-${name}`, viewBox: "0 0 24 24" });
      for (const shape of emblem.drawing) symbol.append(svg("path", { d: shape.path, class: `ink-${shape.ink}` }));
      defs.append(symbol);
    }
    root.append(defs);
  }

  /** Everything on a board of usual size. @param {SVGElement} root */
  drawFinely(root) {
    const { picture } = this;
    const ground = svg("g");
    const areas = svg("g");
    const things = svg("g");
    for (let place = 0; place < picture.owners.length; place++) {
      const [x, y] = this.at(place);
      const shade = picture.shades[place];
      const owner = picture.owners[place];
      if (shade === "~") {
        const sway = (place * 7) % 5;
        ground.append(svg("path", { class: "ripple", d: `M${x + 10 + sway} ${y + 20}q4-4 8 0t8 0` }));
      } else if (picture.level) {
        this.drawFloe(ground, place, shade);
      } else if (shade >= "A" && shade <= "Z") {
        if (!owner) ground.append(svg("rect", { class: `hue h${shade}`, x: x + 2.5, y: y + 2.5, width: 35, height: 35, rx: 7 }));
      } else if (!owner || !picture.is_outlined) {
        ground.append(svg("rect", { class: "free", x: x + 3, y: y + 3, width: 34, height: 34, rx: 7 }));
      }
      if (shade >= "1" && shade <= "9" && picture.level) this.drawLevel(things, place, Number(shade));
      if (owner && picture.piece) this.drawPiece(things, place, owner);
      else if (owner && picture.is_outlined && !(shade >= "A" && shade <= "Z")) {
        things.append(svg("path", { class: "sign", d: SIGNS[(owner - 1) % SIGNS.length], transform: `translate(${x + 20} ${y + 20})` }));
      } else if (owner && !picture.is_outlined) {
        things.append(svg("path", { class: `ink-owner o${seatColour(owner)}`, d: SIGNS[(owner - 1) % SIGNS.length], transform: `translate(${x + 20} ${y + 20}) scale(2)` }));
      }
      if (shade >= "A" && shade <= "Z" && !owner) {
        const glyph = svg("text", { class: "glyph", x: x + 20, y: y + 25 });
        glyph.textContent = picture.glyphs[place] === "." ? "·" : picture.glyphs[place];
        things.append(glyph);
      }
    }
    if (picture.is_outlined) this.drawAreas(areas, things);
    root.append(ground, areas, things);
  }

  /** @param {SVGElement} into @param {number} place @param {string} shade */
  drawFloe(into, place, shade) {
    const [x, y] = this.at(place);
    // Each floe is a little uneven, always the same way.
    const bend = (/** @type {number} */ k) => ((place * 13 + k * 29) % 7) / 2.2 - 1.4;
    const [a, b, c, d] = [[x + 4 + bend(1), y + 4 + bend(2)], [x + 36 + bend(3), y + 4 + bend(4)], [x + 36 + bend(5), y + 34 + bend(6)], [x + 4 + bend(7), y + 34 + bend(8)]];
    const outline = (/** @type {number} */ dy) => {
      const corners = [a, b, c, d];
      let path = "";
      for (let i = 0; i < 4; i++) {
        const [px, py] = corners[i];
        const [nx, ny] = corners[(i + 1) % 4];
        const [qx, qy] = corners[(i + 3) % 4];
        const toward = (/** @type {number} */ tx, /** @type {number} */ ty) => {
          const length = Math.hypot(tx - px, ty - py);
          return `${(px + ((tx - px) / length) * 6).toFixed(1)} ${(py + ((ty - py) / length) * 6 + dy).toFixed(1)}`;
        };
        path += `${i ? "L" : "M"}${toward(qx, qy)}Q${px.toFixed(1)} ${(py + dy).toFixed(1)} ${toward(nx, ny)}`;
      }
      return path + "Z";
    };
    const level = shade >= "1" && shade <= "9" ? Math.min(3, Number(shade)) : 1;
    into.append(svg("path", { class: "edge", d: outline(3) }), svg("path", { class: `level l${level}`, d: outline(0) }));
  }

  /** So many emblems as the level counts. @param {SVGElement} into @param {number} place @param {number} level */
  drawLevel(into, place, level) {
    const [x, y] = this.at(place);
    const spots = /** @type {Record<number, [number, number][]>} */ ({ 1: [[20, 19]], 2: [[20, 12.5], [20, 25.5]], 3: [[20, 10.5], [20, 19], [20, 27.5]] })[level];
    if (!spots) {
      const text = svg("text", { class: "glyph", x: x + 20, y: y + 25 });
      text.textContent = String(level);
      into.append(text);
      return;
    }
    const size = level === 3 ? 11.5 : level === 2 ? 13.5 : 15;
    for (const [dx, dy] of spots) {
      into.append(svg("use", { href: `#e${this.number}-level`, x: x + dx - size / 2, y: y + dy - size / 2, width: size, height: size }));
    }
  }

  /** @param {SVGElement} into @param {number} place @param {number} owner */
  drawPiece(into, place, owner) {
    const [x, y] = this.at(place);
    const piece = svg("g", { class: `o${seatColour(owner)}`, "data-piece": place });
    piece.append(svg("ellipse", { class: "shadow", cx: x + 20, cy: y + 34, rx: 11, ry: 3 }));
    piece.append(svg("use", { href: `#e${this.number}-piece`, x: x + 3, y: y + 1, width: 34, height: 34 }));
    piece.append(svg("path", { class: "ink-owner", d: SIGNS[(owner - 1) % SIGNS.length], transform: `translate(${x + 20} ${y + 22}) scale(.62)` }));
    into.append(piece);
  }

  /** Areas as one shape each. @param {SVGElement} into @param {SVGElement} things */
  drawAreas(into, things) {
    const { picture } = this;
    for (const area of areasOf(picture)) {
      const owner = picture.owners[area[0]];
      const shade = picture.shades[area[0]];
      const isFilled = shade >= "A" && shade <= "Z";
      into.append(svg("path", { class: `area o${seatColour(owner)}${isFilled ? ` filled h${shade}` : ""}`, d: outlineOf(area, picture.width, isFilled ? 2 : 3), "fill-rule": "evenodd" }));
      if (isFilled) {
        const corner = (/** @type {number} */ place) => {
          const [column, row] = [place % picture.width, Math.floor(place / picture.width)];
          return Math.min(column, picture.width - 1 - column) + Math.min(row, picture.height - 1 - row);
        };
        const home = area.reduce((best, place) => (corner(place) < corner(best) ? place : best));
        const [x, y] = this.at(home);
        things.append(svg("circle", { class: "badge", cx: x + 20, cy: y + 20, r: 12 }));
        const text = svg("text", { class: "badge-text", x: x + 20, y: y + 25 });
        text.textContent = (picture.seats[owner - 1]?.name || String(owner)).slice(0, 2);
        things.append(text);
      }
    }
  }

  /** A large board: one shape for each kind of field. @param {SVGElement} root */
  drawRoughly(root) {
    const { picture } = this;
    /** @type {Map<string, string[]>} */ const shapes = new Map();
    for (let place = 0; place < picture.owners.length; place++) {
      const shade = picture.shades[place];
      const owner = picture.owners[place];
      let kind = "free";
      if (shade === "~") continue;
      if (shade >= "A" && shade <= "Z") kind = `hue h${shade}`;
      else if (shade >= "1" && shade <= "9") kind = `level l${Math.min(3, Number(shade))}`;
      if (owner) kind = picture.is_outlined && !(shade >= "A" && shade <= "Z") ? `area o${seatColour(owner)}` : owner && shade >= "A" ? `area filled h${shade} o${seatColour(owner)}` : `ink-owner o${seatColour(owner)}`;
      const [x, y] = this.at(place);
      const path = shapes.get(kind) ?? [];
      path.push(`M${x + 2} ${y + 2}h36v36h-36Z`);
      shapes.set(kind, path);
    }
    for (const [kind, path] of shapes) root.append(svg("path", { class: kind, d: path.join("") }));
  }

  /** @param {SVGElement} root */
  drawLabels(root) {
    const { width, height } = this.picture;
    const step = width > 60 ? 10 : width > 30 ? 5 : 1;
    for (let column = 0; column < width; column += step) {
      const text = svg("text", { class: "label", x: column * CELL + 20, y: height * CELL + 19 });
      text.textContent = columnName(column);
      root.append(text);
    }
    for (let row = 0; row < height; row += step) {
      const text = svg("text", { class: "label", x: -14, y: (height - row) * CELL - 15 });
      text.textContent = String(row + 1);
      root.append(text);
    }
  }
}
