// @ts-check
/**
 * Which part of a board is in sight, and how large: all of it at first. Wheel, two fingers and keys
 * change the size, a drag moves the board.
 */

/** The largest a field is drawn, in pixels: by zooming, and on a board that is shown whole. */
const [LARGEST_CELL, LARGEST_FIT] = [64, 88];
/** Boards whose fields are narrower when all of them are shown can be zoomed. */
export const HANDY_CELL = 24;
/** How wide a field is after a tap that zooms. */
const TAPPED_CELL = 34;
/** Around the board, so that marks at its edge are whole. */
const MARGIN = 4;
/** The strip at the left and below with the names of rows and columns. */
const STRIP = 28;
/** A pointer that moves further drags, in pixels. */
const DRAG = 6;

/** @param {number} least @param {number} value @param {number} most */
function clamped(least, value, most) {
  return Math.max(least, Math.min(most, value));
}

export class SightOf {
  /** @param {{width: number, height: number}} size in fields @param {boolean} isSmall a small board has no labels */
  constructor(size, isSmall) {
    this.fields = size;
    this.strip = isSmall ? 0 : STRIP;
    this.margin = isSmall ? 0 : MARGIN;
    /** How wide a field is when all are shown. */ this.fit = 1;
    this.zoom = 1;
    /** The middle of what is in sight, in fields. */ this.middle = { x: size.width / 2, y: size.height / 2 };
    /** The window without labels, in pixels. */ this.width = 1;
    this.height = 1;
  }

  /** Fits the board into a room; gives the size of all of it. @param {number} room its width @param {number} most its height @returns {[number, number]} */
  fitInto(room, most) {
    const { width, height } = this.fields;
    const around = this.strip + 2 * this.margin;
    this.fit = Math.max(0.5, Math.min((room - around) / width, (most - around) / height, LARGEST_FIT));
    this.width = width * this.fit + 2 * this.margin;
    this.height = height * this.fit + 2 * this.margin;
    this.zoomTo(this.zoom);
    return [this.width + this.strip, this.height + this.strip];
  }

  get cell() {
    return this.fit * this.zoom;
  }

  /** How far it can be zoomed. */
  get most() {
    return Math.max(1, LARGEST_CELL / this.fit);
  }

  /** Whether fields are too small to point at when all are shown. */
  get isLarge() {
    return this.strip > 0 && this.fit < HANDY_CELL;
  }

  /** Where the board's first corner is, within the window. */
  get origin() {
    const [w, h] = [this.width - 2 * this.margin, this.height - 2 * this.margin];
    return {
      x: this.margin + w / 2 - this.middle.x * this.cell,
      y: this.margin + h / 2 - this.middle.y * this.cell,
    };
  }

  /** @param {number} zoom @param {{x: number, y: number}} [at] a point of the window that stays where it is */
  zoomTo(zoom, at) {
    const before = at && this.fieldAt(at);
    this.zoom = clamped(1, zoom, this.most);
    if (at && before) {
      const { x, y } = this.fieldAt(at);
      this.middle = { x: this.middle.x + before.x - x, y: this.middle.y + before.y - y };
    }
    this.moveTo(this.middle.x, this.middle.y);
  }

  /** Brings a place to the middle, as far as the board goes. @param {number} x @param {number} y in fields */
  moveTo(x, y) {
    const half = {
      x: (this.width - 2 * this.margin) / 2 / this.cell,
      y: (this.height - 2 * this.margin) / 2 / this.cell,
    };
    const { width, height } = this.fields;
    this.middle = {
      x: clamped(half.x, x, Math.max(half.x, width - half.x)),
      y: clamped(half.y, y, Math.max(half.y, height - half.y)),
    };
  }

  /** Brings fields into sight, if they are not. @param {number[]} places */
  reveal(places) {
    const { width } = this.fields;
    const half = {
      x: (this.width - 2 * this.margin) / 2 / this.cell,
      y: (this.height - 2 * this.margin) / 2 / this.cell,
    };
    let { x, y } = this.middle;
    for (const place of places) {
      const [column, row] = [place % width, Math.floor(place / width)];
      x = clamped(column + 1 - half.x, x, column + half.x);
      y = clamped(row + 1 - half.y, y, row + half.y);
    }
    this.moveTo(x, y);
  }

  /** The point of the board under a point of the window, in fields. @param {{x: number, y: number}} at */
  fieldAt(at) {
    const { x, y } = this.origin;
    return { x: (at.x - x) / this.cell, y: (at.y - y) / this.cell };
  }
}

/**
 * Lets pointers and the wheel change what is in sight.
 * @param {HTMLElement} frame @param {() => SightOf | null} sightOf @param {() => void} changed
 * @returns {(event: MouseEvent) => boolean} whether a click is the end of a drag, or a tap that zooms: then it chooses nothing
 */
export function letZoom(frame, sightOf, changed) {
  /** @type {Map<number, {x: number, y: number}>} */ const pointers = new Map();
  let isDragged = false;
  let began = { x: 0, y: 0 };
  const inWindow = (
    /** @type {SightOf} */ sight,
    /** @type {{clientX: number, clientY: number}} */ { clientX, clientY },
  ) => {
    const box = frame.getBoundingClientRect();
    return { x: clientX - box.left - sight.strip, y: clientY - box.top };
  };
  const spread = () => {
    const [a, b] = [...pointers.values()];
    return {
      far: Math.hypot(a.x - b.x, a.y - b.y) || 1,
      middle: { clientX: (a.x + b.x) / 2, clientY: (a.y + b.y) / 2 },
    };
  };
  frame.addEventListener(
    "wheel",
    (event) => {
      const sight = sightOf();
      if (!sight?.isLarge) return;
      const before = sight.zoom;
      sight.zoomTo(
        sight.zoom * Math.exp(-event.deltaY * (event.ctrlKey ? 0.01 : 0.0018)),
        inWindow(sight, event),
      );
      // Where it goes no further, the page scrolls.
      if (sight.zoom === before) return;
      event.preventDefault();
      changed();
    },
    { passive: false },
  );
  frame.addEventListener("pointerdown", (event) => {
    if (!sightOf()?.isLarge) return;
    pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    if (pointers.size === 1) {
      isDragged = false;
      began = { x: event.clientX, y: event.clientY };
    }
  });
  frame.addEventListener("pointermove", (event) => {
    const sight = sightOf();
    const before = pointers.get(event.pointerId);
    if (!sight || !before) return;
    const now = { x: event.clientX, y: event.clientY };
    if (pointers.size === 2) {
      const from = spread();
      pointers.set(event.pointerId, now);
      const to = spread();
      const at = inWindow(sight, to.middle);
      sight.zoomTo(sight.zoom * (to.far / from.far), at);
      sight.moveTo(
        sight.middle.x - (to.middle.clientX - from.middle.clientX) / sight.cell,
        sight.middle.y - (to.middle.clientY - from.middle.clientY) / sight.cell,
      );
      isDragged = true;
      changed();
      return;
    }
    if (sight.zoom === 1 || (!isDragged && Math.hypot(now.x - began.x, now.y - began.y) < DRAG)) return;
    if (!isDragged) frame.setPointerCapture(event.pointerId);
    isDragged = true;
    pointers.set(event.pointerId, now);
    sight.moveTo(
      sight.middle.x - (now.x - before.x) / sight.cell,
      sight.middle.y - (now.y - before.y) / sight.cell,
    );
    changed();
  });
  const leave = (/** @type {PointerEvent} */ event) => {
    pointers.delete(event.pointerId);
  };
  frame.addEventListener("pointerup", leave);
  frame.addEventListener("pointercancel", leave);
  return (event) => {
    const sight = sightOf();
    if (isDragged) {
      isDragged = false;
      return true;
    }
    if (
      !sight?.isLarge ||
      sight.cell >= HANDY_CELL ||
      /** @type {PointerEvent} */ (event).pointerType !== "touch"
    )
      return false;
    const at = inWindow(sight, event);
    const { x, y } = sight.fieldAt(at);
    sight.zoomTo(TAPPED_CELL / sight.fit);
    sight.moveTo(x, y);
    changed();
    return true;
  };
}
