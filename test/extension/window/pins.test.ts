import { expect, test } from "bun:test";
import { planPins } from "../../../src/extension/window/pins.ts";

/** What a step does about one tab, given whether it is pinned in the window, in the task, and was after the last step. */
const stepOf = (here: boolean, there: boolean, before?: boolean) => {
  const followed = { tabId: 1, entry: "a", own: false, page: null };
  const tab = { id: 1, windowId: 1, index: 0, active: false, highlighted: false, incognito: false };
  const entry = {
    id: "a",
    at: 0,
    url: "https://example.org/",
    title: "A",
    addedAt: null,
    group: null,
    madeBy: { author: "person", key: null },
  } as const;
  const plan = planPins(
    [before === undefined ? followed : { ...followed, pinned: before }],
    [{ ...tab, pinned: here }],
    [{ ...entry, pinned: there }],
  );
  const after = plan.followed[0]?.pinned;
  return { set: plan.set[0]?.pinned, pin: plan.pin[0]?.pinned, after };
};

test.each([
  ["nothing happened", [true, true, true], { after: true }],
  ["it was pinned in the window", [true, false, false], { set: true, after: true }],
  ["it was unpinned in the window", [false, true, true], { set: false, after: false }],
  ["it was pinned elsewhere", [false, true, false], { pin: true, after: true }],
  ["it was unpinned elsewhere", [true, false, true], { pin: false, after: false }],
  ["it is new here, and the task has it pinned", [false, true], { pin: true, after: true }],
] as const)("A tab in the window of a task, when %s", (_name, [here, there, before], wanted) => {
  expect(stepOf(here, there, before)).toEqual({ set: undefined, pin: undefined, ...wanted });
});
