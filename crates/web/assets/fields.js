// @ts-check
import { CELL, areasOf, cornerOf, outlineWithin } from "./areas.js";
import { changedSince } from "./changes.js";
import { colours, hueOf } from "./colours.js";
import { SIGNS, columnName, seatColour } from "./drawing.js";

/**
 * The fields of a position and what stands on them, painted on a canvas: only those that are in
 * sight, each kind of field drawn once and then copied. Marks are drawings above it.
 * @typedef {import("./board.js").Picture} Picture
 * @typedef {import("./colours.js").Colours} Colours
 * @typedef {{left: number, top: number, cell: number, width: number, height: number, scale: number, labels: number}} Sight
 *   where the board's first corner is on the canvas, how wide a field, the window to draw in and the strip at its left and below for labels; all in pixels of the page, of which `scale` is one
 */

/** Fields that are narrower, in pixels of the page, are painted without details: on small boards, and on others. */
const [COARSE_FEW, COARSE] = [4, 8];
/** The most fields of a small board. */
const FEW_FIELDS = 400;
/** The shade of water. */
const WATER = "~".charCodeAt(0);
/** The most changed fields that are painted one by one. */
const FEW = 48;
/** Numbers and letters beside the board have at least so much room. */
const [LABEL_WIDE, LABEL_HIGH] = [26, 18];

/** A canvas that is not shown. @param {number} size */
function hiddenCanvas(size) {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = Math.max(1, size);
  return canvas;
}

/** @param {string} shade */
function isLevel(shade) {
  return shade >= "1" && shade <= "9";
}

/** What fields look like at one size and in one palette, each drawn once. */
class Sprites {
  /** @param {Picture} picture @param {number} size of a field in pixels of the screen */
  constructor(picture, size) {
    this.size = size;
    this.tones = colours();
    this.emblems = [picture.level, picture.piece];
    /** @type {Map<string, HTMLCanvasElement>} */ this.made = new Map();
    /** Fields with what stands on them, by what is seen of them. @type {Map<number, HTMLCanvasElement | null>} */ this.wholes =
      new Map();
  }

  /** Whether these are still right. @param {Picture} picture @param {number} size */
  isFor(picture, size) {
    return (
      this.size === size &&
      this.tones === colours() &&
      this.emblems[0]?.word === picture.level?.word &&
      this.emblems[1]?.word === picture.piece?.word
    );
  }

  /** A field with what stands on it, drawn once for all that look the same. @param {Picture} picture @param {number} place */
  whole(picture, place) {
    const shade = picture.shades.charCodeAt(place);
    // Floes have one of seven forms, ripples one of five.
    const form = shade === WATER ? place % 5 : picture.level ? place % 7 : 0;
    const key = ((picture.glyphs.charCodeAt(place) * 128 + shade) * 64 + picture.owners[place]) * 8 + form;
    let sprite = this.wholes.get(key);
    if (sprite !== undefined) return sprite;
    const parts = [groundOf(this, picture, place), thingOf(this, picture, place)].filter(
      (part) => part !== null,
    );
    if (parts.length < 2) sprite = parts[0] ?? null;
    else {
      sprite = hiddenCanvas(this.size);
      const context = /** @type {CanvasRenderingContext2D} */ (sprite.getContext("2d"));
      for (const part of parts) context.drawImage(part, 0, 0);
    }
    this.wholes.set(key, sprite);
    return sprite;
  }

  /** @param {string} key @param {(context: CanvasRenderingContext2D) => void} draw in a board's own measure */
  get(key, draw) {
    let sprite = this.made.get(key);
    if (!sprite) {
      sprite = hiddenCanvas(this.size);
      const context = /** @type {CanvasRenderingContext2D} */ (sprite.getContext("2d"));
      context.scale(this.size / CELL, this.size / CELL);
      draw(context);
      this.made.set(key, sprite);
    }
    return sprite;
  }
}

/** Paints positions of one board. */
export class Fields {
  constructor() {
    /** @type {Sprites | null} */ this.sprites = null;
    /** The fields without an owner, by themselves: where areas grow, few of them change. @type {{canvas: HTMLCanvasElement, picture: Picture, key: string, tones: Colours} | null} */ this.free =
      null;
    /** What is on the canvas: only what is different is painted again. @type {{picture: Picture, key: string, tones: Colours, lifted: number | null} | null} */ this.painted =
      null;
  }

  /** Paints what is in sight. @param {HTMLCanvasElement} canvas @param {Picture} picture @param {Sight} sight @param {number | null} lifted a piece that is drawn above the marks */
  paint(canvas, picture, sight, lifted) {
    const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
    const { painted } = this;
    const key = [...Object.values(sight), canvas.width, canvas.height].join();
    this.painted = { picture, key, tones: colours(), lifted };
    if (painted?.key === key && painted.tones === colours()) {
      const places = this.dirty(painted, picture, lifted);
      if (places && !isCoarse(picture, sight)) {
        this.repaint(context, picture, sight, places, lifted);
        return;
      }
    }
    this.paintAll(context, picture, sight, lifted);
  }

  /** The fields that look different from what is painted; null where they are many or not known. @param {{picture: Picture, lifted: number | null}} painted @param {Picture} picture @param {number | null} lifted @returns {Set<number> | null} */
  dirty(painted, picture, lifted) {
    const runs = painted.picture === picture ? [] : changedSince(picture, painted.picture);
    if (!runs || runs.reduce((sum, { length }) => sum + length, 0) > FEW) return null;
    const places = new Set(runs.flatMap(({ at, length }) => Array.from({ length }, (_, i) => at + i)));
    for (const place of [painted.lifted, lifted])
      if (place !== null && painted.lifted !== lifted) places.add(place);
    return places;
  }

  /** Paints these fields again, with those around them whose outlines may be others. @param {CanvasRenderingContext2D} context @param {Picture} picture @param {Sight} sight @param {Set<number>} places @param {number | null} lifted */
  repaint(context, picture, sight, places, lifted) {
    const shown = inSight(picture, sight);
    const around = picture.is_outlined ? 1 : 0;
    const pixel = (/** @type {number} */ begin, /** @type {number} */ at) =>
      Math.round((begin + at * sight.cell) * sight.scale);
    for (const place of places) {
      const [column, row] = [place % picture.width, Math.floor(place / picture.width)];
      const bounds = {
        left: Math.max(shown.left, column - around),
        top: Math.max(shown.top, row - around),
        right: Math.min(shown.right, column + 1 + around),
        bottom: Math.min(shown.bottom, row + 1 + around),
      };
      if (bounds.left >= bounds.right || bounds.top >= bounds.bottom) continue;
      const [x, y, right, bottom] = [
        pixel(sight.left, bounds.left),
        pixel(sight.top, bounds.top),
        pixel(sight.left, bounds.right),
        pixel(sight.top, bounds.bottom),
      ];
      context.save();
      context.setTransform(1, 0, 0, 1, 0, 0);
      context.beginPath();
      context.rect(x, y, right - x, bottom - y);
      context.clip();
      context.setTransform(sight.scale, 0, 0, sight.scale, 0, 0);
      this.paintWithin(context, picture, sight, bounds, lifted);
      context.restore();
    }
  }

  /** Paints everything in sight. @param {CanvasRenderingContext2D} context @param {Picture} picture @param {Sight} sight @param {number | null} lifted */
  paintAll(context, picture, sight, lifted) {
    const { scale, width, height, labels } = sight;
    const bounds = inSight(picture, sight);
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.clearRect(0, 0, context.canvas.width, context.canvas.height);
    context.save();
    context.setTransform(scale, 0, 0, scale, 0, 0);
    context.beginPath();
    context.rect(labels, 0, width, height);
    context.clip();
    this.paintWithin(context, picture, sight, bounds, lifted, true);
    context.restore();
    if (labels) paintLabels(context, picture, sight, bounds);
  }

  /** The window's part of the board, with round corners. @param {CanvasRenderingContext2D} context @param {Picture} picture @param {Sight} sight @param {import("./areas.js").Bounds} bounds @param {number | null} lifted @param {boolean} [isAll] whether everything in sight is painted */
  paintWithin(context, picture, sight, bounds, lifted, isAll = false) {
    const { width, height, labels, scale } = sight;
    const tones = colours();
    context.fillStyle = picture.shades.includes("~") || picture.level ? tones.sea : tones.ground;
    context.fillRect(labels, 0, width, height);
    if (isCoarse(picture, sight)) this.paintCoarsely(context, picture, sight);
    else this.paintFinely(context, picture, sight, bounds, lifted, isAll);
    // Cut off at last: a round window would slow every field down.
    context.setTransform(scale, 0, 0, scale, 0, 0);
    context.globalCompositeOperation = "destination-out";
    const round = labels ? 12 : 8;
    const corners = new Path2D();
    corners.rect(labels, 0, width, height);
    corners.roundRect(labels, 0, width, height, round);
    context.fillStyle = "#000";
    context.fill(corners, "evenodd");
    context.globalCompositeOperation = "source-over";
  }

  /** Paints the fields without an owner, on a canvas of their own that lasts from position to position. @param {CanvasRenderingContext2D} context @param {Picture} picture @param {Sight} sight @param {import("./areas.js").Bounds} bounds @param {Sprites} sprites */
  paintFree(context, picture, sight, bounds, sprites) {
    const key = `${this.painted?.key} ${sprites.size}`;
    const known = this.free;
    const isSame = known !== null && known.key === key && known.tones === colours();
    const runs = isSame ? changedSince(picture, known.picture) : null;
    const layer = runs && known ? known.canvas : document.createElement("canvas");
    if (!runs) {
      layer.width = context.canvas.width;
      layer.height = context.canvas.height;
    }
    const own = /** @type {CanvasRenderingContext2D} */ (layer.getContext("2d"));
    const pixel = (/** @type {number} */ begin, /** @type {number} */ at) =>
      Math.round((begin + at * sight.cell) * sight.scale);
    const draw = (/** @type {number} */ place) => {
      const whole = picture.owners[place] ? null : sprites.whole(picture, place);
      const [column, row] = [place % picture.width, Math.floor(place / picture.width)];
      if (whole) own.drawImage(whole, pixel(sight.left, column), pixel(sight.top, row));
    };
    if (runs && known) {
      const { owners } = known.picture;
      for (const { at, length } of runs) {
        for (let place = at; place < at + length; place++) {
          // An area that changes its colour changes nothing here.
          if (owners[place] && picture.owners[place]) continue;
          const [column, row] = [place % picture.width, Math.floor(place / picture.width)];
          const [x, y] = [pixel(sight.left, column), pixel(sight.top, row)];
          own.clearRect(x, y, pixel(sight.left, column + 1) - x, pixel(sight.top, row + 1) - y);
          draw(place);
        }
      }
    } else {
      for (let row = bounds.top; row < bounds.bottom; row++)
        for (let column = bounds.left; column < bounds.right; column++) draw(row * picture.width + column);
    }
    this.free = { canvas: layer, picture, key, tones: colours() };
    context.drawImage(layer, 0, 0);
  }

  /** Every field in sight with all its details. @param {CanvasRenderingContext2D} context @param {Picture} picture @param {Sight} sight @param {import("./areas.js").Bounds} bounds @param {number | null} lifted @param {boolean} [isAll] whether everything in sight is painted */
  paintFinely(context, picture, sight, bounds, lifted, isAll = false) {
    const size = Math.max(1, Math.round(sight.cell * sight.scale));
    if (!this.sprites?.isFor(picture, size)) this.sprites = new Sprites(picture, size);
    const sprites = this.sprites;
    const above = /** @type {[number, HTMLCanvasElement][]} */ ([]);
    context.setTransform(1, 0, 0, 1, 0, 0);
    const copy = (/** @type {number} */ place, /** @type {HTMLCanvasElement} */ sprite) => {
      const x = (sight.left + (place % picture.width) * sight.cell) * sight.scale;
      const y = (sight.top + Math.floor(place / picture.width) * sight.cell) * sight.scale;
      context.drawImage(sprite, Math.round(x), Math.round(y));
    };
    const isLayered = isAll && picture.is_outlined && lifted === null;
    if (isLayered) this.paintFree(context, picture, sight, bounds, sprites);
    for (let row = bounds.top; row < bounds.bottom; row++) {
      for (let column = bounds.left; column < bounds.right; column++) {
        const place = row * picture.width + column;
        if (isLayered && !picture.owners[place]) continue;
        // A free field is never above an area: one copy is enough for it.
        if (place !== lifted && !(picture.is_outlined && picture.owners[place])) {
          const whole = sprites.whole(picture, place);
          if (whole) copy(place, whole);
          continue;
        }
        const ground = groundOf(sprites, picture, place);
        if (ground) copy(place, ground);
        const thing = place === lifted ? null : thingOf(sprites, picture, place);
        if (thing) above.push([place, thing]);
      }
    }
    context.setTransform(
      sight.scale * (sight.cell / CELL),
      0,
      0,
      sight.scale * (sight.cell / CELL),
      sight.left * sight.scale,
      sight.top * sight.scale,
    );
    if (picture.is_outlined) paintAreas(context, picture, bounds);
    const own = context.getTransform();
    context.setTransform(1, 0, 0, 1, 0, 0);
    for (const [place, thing] of above) copy(place, thing);
    context.setTransform(own);
    if (picture.is_outlined) paintHomes(context, picture, bounds);
  }

  /** A board whose fields are too small for details: a colour each, and lines between owners. @param {CanvasRenderingContext2D} context @param {Picture} picture @param {Sight} sight */
  paintCoarsely(context, picture, sight) {
    context.imageSmoothingEnabled = false;
    context.drawImage(
      coarse(picture),
      sight.left,
      sight.top,
      picture.width * sight.cell,
      picture.height * sight.cell,
    );
    if (!picture.is_outlined || sight.cell < 2.5) return;
    const tones = colours();
    const { width, height, owners } = picture;
    /** @type {Map<number, Path2D>} */ const lines = new Map();
    for (let place = 0; place < owners.length; place++) {
      const owner = owners[place];
      if (!owner) continue;
      const [column, row] = [place % width, Math.floor(place / width)];
      const [x, y, end] = [sight.left + column * sight.cell, sight.top + row * sight.cell, sight.cell];
      const line = lines.get(owner) ?? new Path2D();
      lines.set(owner, line);
      if (row === 0 || owners[place - width] !== owner) {
        line.moveTo(x, y);
        line.lineTo(x + end, y);
      }
      if (row + 1 === height || owners[place + width] !== owner) {
        line.moveTo(x, y + end);
        line.lineTo(x + end, y + end);
      }
      if (column === 0 || owners[place - 1] !== owner) {
        line.moveTo(x, y);
        line.lineTo(x, y + end);
      }
      if (column + 1 === width || owners[place + 1] !== owner) {
        line.moveTo(x + end, y);
        line.lineTo(x + end, y + end);
      }
    }
    context.lineWidth = 1;
    for (const [owner, line] of lines) {
      context.strokeStyle = tones.owners[seatColour(owner) - 1];
      context.stroke(line);
    }
  }
}

/** Whether fields are too small for details. @param {Picture} picture @param {Sight} sight */
function isCoarse(picture, sight) {
  return sight.cell < (picture.owners.length > FEW_FIELDS ? COARSE : COARSE_FEW);
}

/** The fields in sight. @param {Picture} picture @param {Sight} sight */
function inSight(picture, sight) {
  const first = (/** @type {number} */ begin, /** @type {number} */ edge) =>
    Math.max(0, Math.floor((edge - begin) / sight.cell));
  const last = (/** @type {number} */ begin, /** @type {number} */ edge, /** @type {number} */ most) =>
    Math.min(most, Math.ceil((edge - begin) / sight.cell));
  return {
    left: first(sight.left, sight.labels),
    top: first(sight.top, 0),
    right: last(sight.left, sight.labels + sight.width, picture.width),
    bottom: last(sight.top, sight.height, picture.height),
  };
}

/** What was found out about positions, which do not change. @type {WeakMap<Picture, {tones: Colours, canvas: HTMLCanvasElement}>} */
const coarsely = new WeakMap();
/** @type {WeakMap<Picture, number[]>} */
const homesOf = new WeakMap();

/** A pixel for each field. @param {Picture} picture */
export function coarse(picture) {
  const known = coarsely.get(picture);
  if (known?.tones === colours()) return known.canvas;
  const canvas = coarseFrom(picture) ?? coarseCanvas(picture);
  coarsely.set(picture, { tones: colours(), canvas });
  newestCoarse = new WeakRef(picture);
  return canvas;
}

/** The picture that was painted so last. @type {WeakRef<Picture> | null} */
let newestCoarse = null;

/** The pixels of the picture before with what is different: that picture gives them up. @param {Picture} picture */
function coarseFrom(picture) {
  const before = newestCoarse?.deref() ?? null;
  const known = before && coarsely.get(before);
  const runs = changedSince(picture, before);
  if (!before || !known || known.tones !== colours() || !runs || runs.length > 400) return null;
  coarsely.delete(before);
  const context = /** @type {CanvasRenderingContext2D} */ (known.canvas.getContext("2d"));
  for (const { at, length } of runs) {
    for (let place = at; place < at + length; place++) {
      context.fillStyle = toneOf(picture, place);
      context.fillRect(place % picture.width, Math.floor(place / picture.width), 1, 1);
    }
  }
  return known.canvas;
}

/** The colour of a field without details. @param {Picture} picture @param {number} place */
function toneOf(picture, place) {
  const tones = colours();
  const [shade, owner] = [picture.shades[place], picture.owners[place]];
  const hue = hueOf(shade);
  if (hue >= 0) return owner ? tones.hues[hue] : tones.freeHues[hue];
  if (owner)
    return picture.is_outlined ? tones.areas[seatColour(owner) - 1] : tones.owners[seatColour(owner) - 1];
  if (isLevel(shade)) return tones.ice[Math.min(3, Number(shade)) - 1];
  return picture.level || shade === "~" ? tones.sea : tones.free;
}

/** @param {Picture} picture */
function coarseCanvas(picture) {
  const { width, height, shades, owners } = picture;
  const canvas = document.createElement("canvas");
  canvas.width = width;
  canvas.height = height;
  const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  const image = context.createImageData(width, height);
  const pixels = new Uint32Array(image.data.buffer);
  /** By shade and owner. @type {Map<number, number>} */ const numbers = new Map();
  for (let place = 0; place < owners.length; place++) {
    const key = shades.charCodeAt(place) * 64 + owners[place];
    let number = numbers.get(key);
    if (number === undefined) {
      const tone = toneOf(picture, place);
      const [r, g, b] = [1, 3, 5].map((at) => Number.parseInt(tone.slice(at, at + 2), 16));
      number = ((255 << 24) | (b << 16) | (g << 8) | r) >>> 0;
      numbers.set(key, number);
    }
    pixels[place] = number;
  }
  context.putImageData(image, 0, 0);
  return canvas;
}

/** What a field is painted on, if anything. @param {Sprites} sprites @param {Picture} picture @param {number} place */
function groundOf(sprites, picture, place) {
  const shade = picture.shades[place];
  const owner = picture.owners[place];
  const hue = hueOf(shade);
  const { tones } = sprites;
  if (shade === "~") {
    const sway = (place * 7) % 5;
    return sprites.get(`~${sway}`, (context) => {
      context.strokeStyle = tones.ripple;
      context.lineWidth = 1.6;
      context.lineCap = "round";
      context.stroke(new Path2D(`M${10 + sway} 20q4-4 8 0t8 0`));
    });
  }
  // A floe is a little uneven, in one of seven ways.
  if (picture.level)
    return sprites.get(`floe${place % 7}${shade}`, (context) => paintFloe(context, place % 7, shade, tones));
  const tile = (
    /** @type {CanvasRenderingContext2D} */ context,
    /** @type {number} */ gap,
    /** @type {string} */ tone,
  ) => {
    context.fillStyle = tone;
    context.beginPath();
    context.roundRect(gap, gap, CELL - 2 * gap, CELL - 2 * gap, 7);
    context.fill();
  };
  if (hue >= 0) {
    if (owner) return null;
    const glyph = picture.glyphs[place] === "." ? "·" : picture.glyphs[place];
    return sprites.get(`hue${hue}${glyph}`, (context) => {
      tile(context, 2.5, tones.freeHues[hue]);
      paintText(
        context,
        glyph,
        tones.glyph,
        `600 ${sprites.size < 20 ? 22 : 15}px ui-monospace, Menlo, Consolas, monospace`,
      );
    });
  }
  if (owner && picture.is_outlined) return null;
  return sprites.get("free", (context) => {
    tile(context, 3, tones.freeLine);
    tile(context, 4, tones.free);
  });
}

/** What stands on a field, if anything. @param {Sprites} sprites @param {Picture} picture @param {number} place */
function thingOf(sprites, picture, place) {
  const shade = picture.shades[place];
  const owner = picture.owners[place];
  const { tones } = sprites;
  if (owner && picture.piece)
    return sprites.get(`piece${owner}`, (context) => paintPiece(context, picture, owner, tones));
  if (isLevel(shade) && picture.level && !owner)
    return sprites.get(`level${shade}`, (context) => paintLevel(context, picture, Number(shade), tones));
  if (!owner || hueOf(shade) >= 0) return null;
  const sign =
    (/** @type {string} */ tone, /** @type {number} */ factor) =>
    (/** @type {CanvasRenderingContext2D} */ context) => {
      context.translate(CELL / 2, CELL / 2);
      context.scale(factor, factor);
      context.fillStyle = tone;
      context.fill(new Path2D(SIGNS[(owner - 1) % SIGNS.length]));
    };
  return sprites.get(
    `sign${owner}`,
    picture.is_outlined ? sign(tones.sign, 1) : sign(tones.owners[seatColour(owner) - 1], 2),
  );
}

/** @param {CanvasRenderingContext2D} context @param {string} text @param {string} tone @param {string} font */
function paintText(context, text, tone, font) {
  context.fillStyle = tone;
  context.font = font;
  context.textAlign = "center";
  context.textBaseline = "middle";
  context.fillText(text, CELL / 2, CELL / 2 + 0.5);
}

/** @param {CanvasRenderingContext2D} context @param {number} way which of the seven @param {string} shade @param {Colours} tones */
function paintFloe(context, way, shade, tones) {
  const bend = (/** @type {number} */ k) => ((way * 13 + k * 29) % 7) / 2.2 - 1.4;
  const corners = [
    [4 + bend(1), 4 + bend(2)],
    [36 + bend(3), 4 + bend(4)],
    [36 + bend(5), 34 + bend(6)],
    [4 + bend(7), 34 + bend(8)],
  ];
  const outline = (/** @type {number} */ down) => {
    const path = new Path2D();
    const [[ax, ay], [bx, by]] = corners;
    path.moveTo((ax + bx) / 2, (ay + by) / 2 + down);
    for (let i = 1; i <= 4; i++) {
      const [px, py] = corners[i % 4];
      const [nx, ny] = corners[(i + 1) % 4];
      path.arcTo(px, py + down, nx, ny + down, 6);
    }
    path.closePath();
    return path;
  };
  context.fillStyle = tones.side;
  context.fill(outline(3));
  context.fillStyle = tones.ice[(isLevel(shade) ? Math.min(3, Number(shade)) : 1) - 1];
  context.fill(outline(0));
}

/** An emblem, in its own box of 24. @param {CanvasRenderingContext2D} context @param {import("./board.js").Emblem} emblem @param {number} x @param {number} y @param {number} size @param {string} own the owner's colour @param {Colours} tones */
function paintEmblem(context, emblem, x, y, size, own, tones) {
  context.save();
  context.translate(x, y);
  context.scale(size / 24, size / 24);
  for (const shape of emblem.drawing) {
    context.fillStyle = tones.inks[shape.ink] ?? own;
    context.fill(new Path2D(shape.path));
  }
  context.restore();
}

/** As many emblems as the level counts. @param {CanvasRenderingContext2D} context @param {Picture} picture @param {number} level @param {Colours} tones */
function paintLevel(context, picture, level, tones) {
  const spots = /** @type {Record<number, [number, number][]>} */ ({
    1: [[20, 19]],
    2: [
      [20, 12.5],
      [20, 25.5],
    ],
    3: [
      [20, 10.5],
      [20, 19],
      [20, 27.5],
    ],
  })[level];
  if (!spots || !picture.level) {
    paintText(context, String(level), tones.inks.thing, "700 17px system-ui, sans-serif");
    return;
  }
  const size = level === 3 ? 12 : level === 2 ? 14 : 16;
  for (const [x, y] of spots)
    paintEmblem(context, picture.level, x - size / 2, y - size / 2, size, tones.inks.thing, tones);
}

/** @param {CanvasRenderingContext2D} context @param {Picture} picture @param {number} owner @param {Colours} tones */
function paintPiece(context, picture, owner, tones) {
  const own = tones.owners[seatColour(owner) - 1];
  context.fillStyle = "#0003";
  context.beginPath();
  context.ellipse(20, 34, 11, 3, 0, 0, 7);
  context.fill();
  if (picture.piece) paintEmblem(context, picture.piece, 3, 1, 34, own, tones);
  context.translate(20, 22);
  context.scale(0.62, 0.62);
  context.fillStyle = own;
  context.fill(new Path2D(SIGNS[(owner - 1) % SIGNS.length]));
}

/** Areas as one shape each. @param {CanvasRenderingContext2D} context @param {Picture} picture @param {import("./areas.js").Bounds} bounds */
function paintAreas(context, picture, bounds) {
  const { width, height, owners, shades } = picture;
  const tones = colours();
  // One field more at each side: what is cut there is out of sight.
  const wider = {
    left: Math.max(0, bounds.left - 1),
    top: Math.max(0, bounds.top - 1),
    right: Math.min(width, bounds.right + 1),
    bottom: Math.min(height, bounds.bottom + 1),
  };
  /** @type {Map<string, [number, string]>} */ const kinds = new Map();
  for (let row = wider.top; row < wider.bottom; row++) {
    for (let column = wider.left; column < wider.right; column++) {
      const place = row * width + column;
      if (owners[place]) kinds.set(owners[place] + shades[place], [owners[place], shades[place]]);
    }
  }
  context.lineJoin = "round";
  for (const [owner, shade] of kinds.values()) {
    const hue = hueOf(shade);
    const has = (/** @type {number} */ column, /** @type {number} */ row) =>
      owners[row * width + column] === owner && shades[row * width + column] === shade;
    const path = new Path2D(outlineWithin(has, wider, hue >= 0 ? 2 : 3));
    context.fillStyle = hue >= 0 ? tones.hues[hue] : tones.areas[seatColour(owner) - 1];
    context.fill(path, "evenodd");
    context.strokeStyle = tones.owners[seatColour(owner) - 1];
    context.lineWidth = hue >= 0 ? 5 : 2.5;
    context.stroke(path);
  }
}

/** The name of the owner where a filled area has its corner. @param {CanvasRenderingContext2D} context @param {Picture} picture @param {import("./areas.js").Bounds} bounds */
function paintHomes(context, picture, bounds) {
  const { width, height, owners, shades } = picture;
  const corner = (/** @type {number} */ place) => {
    const [column, row] = [place % width, Math.floor(place / width)];
    return Math.min(column, width - 1 - column) + Math.min(row, height - 1 - row);
  };
  // Only hues are filled.
  if (!/[A-J]/.test(shades)) return;
  let homes = homesOf.get(picture);
  if (!homes) {
    const filled = areasOf(picture).filter((area) => hueOf(shades[area[0]]) >= 0);
    homes = filled.map((area) => area.reduce((best, place) => (corner(place) < corner(best) ? place : best)));
    homesOf.set(picture, homes);
  }
  for (const home of homes) {
    const [column, row] = [home % width, Math.floor(home / width)];
    if (column < bounds.left || column >= bounds.right || row < bounds.top || row >= bounds.bottom) continue;
    const [x, y] = cornerOf(home, width);
    context.save();
    context.translate(x, y);
    context.fillStyle = "#fff";
    context.beginPath();
    context.arc(20, 20, 13, 0, 7);
    context.fill();
    paintText(
      context,
      (picture.seats[owners[home] - 1]?.name || String(owners[home])).slice(0, 2),
      "#13242c",
      "750 15px system-ui, sans-serif",
    );
    context.restore();
  }
}

/** Numbers at the left, letters below, as many as have room. @param {CanvasRenderingContext2D} context @param {Picture} picture @param {Sight} sight @param {import("./areas.js").Bounds} bounds */
function paintLabels(context, picture, sight, bounds) {
  const { cell, labels } = sight;
  const step = (/** @type {number} */ room) =>
    [1, 2, 5, 10, 20, 50].find((every) => every * cell >= room) ?? 100;
  context.save();
  context.setTransform(sight.scale, 0, 0, sight.scale, 0, 0);
  context.fillStyle = colours().soft;
  context.font = `600 ${cell >= 40 ? 16 : 14}px system-ui, sans-serif`;
  context.textAlign = "center";
  context.textBaseline = "middle";
  const [across, down] = [step(picture.width > 26 ? LABEL_WIDE : LABEL_HIGH), step(LABEL_HIGH)];
  const within = (/** @type {number} */ at, /** @type {number} */ from, /** @type {number} */ to) =>
    at >= from - 1 && at <= to + 1;
  for (let column = bounds.left; column < bounds.right; column++) {
    const x = sight.left + (column + 0.5) * cell;
    // Every nth from the first, which is number one.
    if ((column + (across > 1 ? 1 : 0)) % across === 0 && within(x, labels, labels + sight.width))
      context.fillText(columnName(column), x, sight.height + labels / 2);
  }
  for (let row = bounds.top; row < bounds.bottom; row++) {
    const number = picture.height - row;
    const y = sight.top + (row + 0.5) * cell;
    if (number % down === 0 && within(y, 0, sight.height)) context.fillText(String(number), labels / 2, y);
  }
  context.restore();
}
