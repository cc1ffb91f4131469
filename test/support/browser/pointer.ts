import type { Locator } from "playwright-core";
import { touch } from "./bidi.ts";
import type { Engine } from "./engines.ts";

// What people do with a mouse or a finger, where the two browsers' drivers differ.

/** Where in an element, from its upper left corner. */
type Position = { readonly x: number; readonly y: number };

/** Drags one element onto another. */
export const drag = async (
  engine: Engine,
  from: Locator,
  to: Locator,
  position?: Position,
): Promise<void> => {
  if (engine !== "Firefox") return from.dragTo(to, position && { targetPosition: { ...position } });
  const page = from.page();
  await to.scrollIntoViewIfNeeded();
  const target = await boxOf(to);
  const x = target.x + (position?.x ?? target.width / 2);
  const y = target.y + (position?.y ?? target.height / 2);
  const start = await boxOf(from);
  await page.evaluate(WATCH);
  await page.mouse.move(start.x + start.width / 2, start.y + start.height / 2);
  await page.mouse.down();
  await page.mouse.move(start.x + start.width / 2 + 10, start.y + start.height / 2 + 5);
  await page.mouse.move(start.x + start.width / 2 + 20, start.y + start.height / 2 + 10);
  await page.evaluate(`dragStarts.then((go) => go(${x}, ${y}))`);
  await page.mouse.up();
};

/**
 * Firefox starts a drag for its driver's mouse, but never drops: without a screen it has no drag service. So the press
 * and the start are real, and what follows is dispatched as the browser would, with what the start put in.
 */
export const WATCH = `globalThis.dragStarts = new Promise((resolve) =>
  addEventListener("dragstart", ({ target, dataTransfer: given }) => {
    const dataTransfer = new DataTransfer();
    given.setData = (type, text) => {
      DataTransfer.prototype.setData.call(given, type, text);
      dataTransfer.setData(type, text);
    };
    resolve((clientX, clientY) => {
      const at = document.elementFromPoint(clientX, clientY);
      const init = { bubbles: true, cancelable: true, clientX, clientY, dataTransfer };
      const isTaken = (type) => !at.dispatchEvent(new DragEvent(type, init));
      isTaken("dragenter");
      if (isTaken("dragover")) isTaken("drop");
      target.dispatchEvent(new DragEvent("dragend", init));
    });
  }, { once: true, capture: true }),
); true`;

const LONG = 800;

/** Rests a finger on an element for as long as a long press takes. */
export const longPress = async (engine: Engine, place: Locator): Promise<void> => {
  const page = place.page();
  const { x, y, width, height } = await boxOf(place);
  const point = { x: x + width / 2, y: y + height / 2 };
  if (engine === "Firefox") return touch(page, point.x, point.y, LONG);
  const cdp = await page.context().newCDPSession(page);
  await cdp.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: [point] });
  await Bun.sleep(LONG);
  await cdp.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
  await cdp.detach();
};

const boxOf = async (place: Locator) => {
  const box = await place.boundingBox();
  if (!box) throw new Error("There is nothing to press.");
  return box;
};
