// What a page says to those who look elsewhere, and what two fingers do on a phone.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Place, begin, moveByMouse, said, sizes } from "./place.mjs";

/** @type {Place} */
let place;
before(async () => {
  place = await Place.open();
});
after(async () => {
  await place?.close();
});

const turns = (page, count) =>
  page.waitForFunction((count) => document.querySelectorAll("#moves li").length === count, count);

/** Puts something that counts in the place of a browser's loudspeaker and of its notifications. */
function listen() {
  window.notes = [];
  window.calls = [];
  class Part {
    constructor() {
      this.frequency = { value: 0 };
      this.gain = { setValueAtTime() {}, exponentialRampToValueAtTime() {} };
    }
    connect(to) {
      return to;
    }
    start() {
      window.notes.push(this.frequency.value);
    }
    stop() {}
  }
  window.AudioContext = class {
    constructor() {
      this.currentTime = 0;
      this.destination = new Part();
    }
    createOscillator() {
      return new Part();
    }
    createGain() {
      return new Part();
    }
  };
  window.Notification = class {
    static permission = "default";
    static async requestPermission() {
      Notification.permission = window.answer ?? "granted";
      return Notification.permission;
    }
    constructor(title, { body, tag }) {
      window.calls.push({ title, body, tag });
    }
    close() {}
  };
}

async function listener() {
  const page = await place.visitor(sizes.desktop);
  await page.addInitScript(listen);
  return page;
}

/** Has a page believe that it is looked at, or not. */
const hide = (page, isHidden) =>
  page.evaluate((isHidden) => {
    Object.defineProperty(document, "hidden", { value: isHidden, configurable: true });
    document.dispatchEvent(new Event("visibilitychange"));
  }, isHidden);

/** Presses a button of "More". */
async function press(page, name) {
  await page.locator("#acts").getByRole("button", { name: "More" }).click();
  await page.locator("dialog[open]").getByRole("button", { name }).click();
  await page.keyboard.press("Escape");
}

test("sounds are heard by those who want them, and by no others", async () => {
  const page = await listener();
  await begin(page, "gamma", { opponent: "here", size: "4x4" });
  await moveByMouse(page);
  await turns(page, 1);
  assert.deepEqual(await page.evaluate(() => window.notes), [], "silent at first");
  await press(page, "Sound is off");
  assert.ok((await page.evaluate(() => window.notes.length)) > 0, "it is heard what it is like");
  await page.evaluate(() => {
    window.notes.length = 0;
  });
  await moveByMouse(page);
  await turns(page, 2);
  // Both seats are the reader's: it is their turn again.
  assert.deepEqual(await page.evaluate(() => window.notes), [523, 659]);
  // The choice is remembered.
  await page.reload();
  await moveByMouse(page);
  await turns(page, 3);
  assert.ok((await page.evaluate(() => window.notes.length)) > 0);
  await press(page, "Sound is on");
  await page.evaluate(() => {
    window.notes.length = 0;
  });
  await moveByMouse(page);
  await turns(page, 4);
  assert.deepEqual(await page.evaluate(() => window.notes), []);
  assert.deepEqual(page.wrongs, []);
  await page.context().close();
});

test("a notification calls a player who asked for it and looks elsewhere", async () => {
  const [host, guest] = [await listener(), await place.visitor(sizes.phone)];
  await begin(host, "gamma", { opponent: "link", size: "4x4" });
  await guest.goto(await host.inputValue("#link"));
  await guest.getByRole("button", { name: "Sit down and play" }).click();
  await said(host, /^Your turn/);
  await moveByMouse(host);
  await said(guest, /^Your turn/);
  // Who was not asked is not called.
  await hide(host, true);
  await moveByMouse(guest);
  await host.waitForFunction(() => /^Your turn/.test(document.title));
  assert.deepEqual(await host.evaluate(() => window.calls), []);
  await hide(host, false);
  await press(host, "Call me when it is my turn");
  await moveByMouse(host);
  await said(guest, /^Your turn/);
  await hide(host, true);
  await moveByMouse(guest);
  await host.waitForFunction(() => window.calls.length > 0);
  const [call] = await host.evaluate(() => window.calls);
  assert.equal(call.title, "Your turn");
  assert.match(call.body, /^Gamma against /);
  assert.equal(call.tag, host.url().split("/").pop());
  assert.deepEqual(host.wrongs, []);
  await host.context().close();
  await guest.context().close();
});

test("two fingers zoom a large board, and make no move", async () => {
  const page = await place.visitor(sizes.phone, { hasTouch: true });
  await begin(page, "gamma", { opponent: "here", size: "30x30" });
  await page.waitForFunction(() => document.querySelector("floe-board")?.picks?.length > 0);
  const box = await page.locator("floe-board .frame").boundingBox();
  const [x, y] = [box.x + box.width / 2, Math.min(box.y + box.height / 2, 600)];
  const session = await page.context().newCDPSession(page);
  const touch = (type, far) =>
    session.send("Input.dispatchTouchEvent", {
      type,
      touchPoints:
        type === "touchEnd"
          ? []
          : [
              { x: x - far, y, id: 1 },
              { x: x + far, y, id: 2 },
            ],
    });
  const sight = () =>
    page.evaluate(() => {
      const { zoom, cell } = document.querySelector("floe-board").sight;
      return { zoom, cell };
    });
  assert.equal((await sight()).zoom, 1);
  await touch("touchStart", 20);
  for (const far of [30, 45, 60, 80]) await touch("touchMove", far);
  await touch("touchEnd", 0);
  await page.waitForFunction(() => document.querySelector("floe-board").sight.zoom > 2);
  const near = await sight();
  assert.ok(near.cell >= 24, `fields of ${near.cell} px can be pointed at`);
  await touch("touchStart", 80);
  for (const far of [50, 30, 12]) await touch("touchMove", far);
  await touch("touchEnd", 0);
  await page.waitForFunction((before) => document.querySelector("floe-board").sight.zoom < before, near.zoom);
  assert.equal(await page.locator("#moves li").count(), 0);
  assert.deepEqual(page.wrongs, []);
  await page.context().close();
});
