import { expect, test } from "bun:test";
import {
  checkRestriction,
  describeRestriction,
  readRestriction,
  type Restriction,
  showRestriction,
  writeRestriction,
} from "../../../src/domain/people/api-key.ts";
import { Refusal } from "../../../src/domain/base/refusal.ts";

const INBOX: Restriction = { kind: "inbox" };
const folders = (...ids: readonly string[]): Restriction => ({ kind: "folders", folders: ids });

test.each<[Restriction | null]>([
  [null],
  [INBOX],
  [folders("f1")],
  [folders("inbox", 'a"b,c', "[]")],
])("A stored restriction %j is read back unchanged", (restriction) =>
  expect(readRestriction(writeRestriction(restriction))).toEqual(restriction),
);

test.each(["", "null", "{}", "inbox", '["f1",7]', '["f1"', "0", '"folders"'])(
  "A restriction that cannot be read (%j) reaches nothing",
  (text) => expect(readRestriction(text)).toEqual({ kind: "folders", folders: [] }),
);

test("Replies show a restriction with its folders, and an empty list for the inbox", () => {
  expect(showRestriction(null)).toBeNull();
  expect(showRestriction(INBOX)).toEqual({ kind: "inbox", folders: [] });
  expect(showRestriction(folders("f1", "f2"))).toEqual({ kind: "folders", folders: ["f1", "f2"] });
});

const NAMES = new Map([
  ["f1", "Work"],
  ["f2", "Home"],
  ["f3", ""],
]);

test.each<[Restriction | null, string]>([
  [null, ""],
  [INBOX, "in the inbox only"],
  [folders(), "in no folder"],
  [folders("f1"), "in the folder <Work> only"],
  [folders("f1", "f2"), "in the folders <Work> and <Home> only"],
  [
    folders("f2", "gone", "f3"),
    "in the folders <Home>, (deleted folder) and (unnamed folder) only",
  ],
])("The description of %j marks the names that other people chose", (restriction, words) => {
  const description = describeRestriction(restriction, NAMES).map(({ text, isName }) =>
    isName ? `<${text}>` : text,
  );
  expect(description.join("")).toBe(words);
});

const ALL = null;
const SOME = folders("f1");
const NO_OTHER =
  "This key is restricted to the inbox, so it can only file tabs there. Nothing was changed.";

test.each([
  [ALL, "write to a task", null],
  [ALL, "create a folder", null],
  [ALL, "file into the inbox", null],
  [SOME, "write to a task", null],
  [
    SOME,
    "create a folder",
    "This key is restricted to its folders, so it cannot create a folder. Nothing was changed.",
  ],
  [
    SOME,
    "file into the inbox",
    "This key is restricted to its folders, so it cannot file into the inbox. Nothing was changed.",
  ],
  [INBOX, "file into the inbox", null],
  [INBOX, "write to a task", NO_OTHER],
  [INBOX, "create a folder", NO_OTHER],
] as const)(
  "A key restricted to %j that wants to %s gets the refusal %j",
  (restriction, deed, refusal) => {
    const ask = () => checkRestriction(restriction, deed);
    if (refusal === null) expect(ask).not.toThrow();
    else expect(ask).toThrow(new Refusal("forbidden", refusal));
  },
);
