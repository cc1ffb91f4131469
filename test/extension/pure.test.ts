import { describe, expect, test } from "bun:test";
import type { Payload } from "../../src/domain/base/payload.ts";
import { CHROME_COMMANDS, FIREFOX_COMMANDS } from "../../src/extension/browser/commands.ts";
import { patternOf, readAddress } from "../../src/extension/connect/address.ts";
import { groupColour } from "../../src/extension/reopen/colours.ts";
import { withCandidates } from "../../src/extension/save/edit.ts";
import { savableUrl, whyNotSaved } from "../../src/extension/save/savable.ts";
import { withoutAdded } from "../../src/extension/save/undo.ts";
import { comparable } from "../../src/extension/saved/address.ts";

describe("The address of a server, as people type it:", () => {
  const GOOD: readonly (readonly [string, string])[] = [
    ["https://docket.example.org", "https://docket.example.org"],
    ["  https://docket.example.org/  ", "https://docket.example.org"],
    ["docket.example.org", "https://docket.example.org"],
    ["http://127.0.0.1:3625/api/public/v1", "http://127.0.0.1:3625"],
    ["https://docket.example.org/account/devices", "https://docket.example.org"],
    ["127.0.0.1:3625", "http://127.0.0.1:3625"],
    ["localhost:3625", "http://localhost:3625"],
    ["nas:3625", "http://nas:3625"],
    ["nas.local", "http://nas.local"],
    ["192.168.1.20:3625", "http://192.168.1.20:3625"],
    ["172.20.0.2", "http://172.20.0.2"],
    ["172.40.0.2", "https://172.40.0.2"],
    ["[::1]:3625", "http://[::1]:3625"],
    ["HTTPS://Docket.Example.org:443", "https://docket.example.org"],
  ];
  for (const [typed, server] of GOOD)
    test(`${typed} is ${server}`, () => {
      expect(readAddress(typed)).toEqual({ kind: "good", server });
    });

  const BAD: readonly (readonly [string, string])[] = [
    ["", "Enter the address of your Docket server."],
    [
      "ftp://docket.example.org",
      "This is not a web address. It looks like https://docket.example.org.",
    ],
    ["https://", "This is not a web address. It looks like https://docket.example.org."],
    [
      "https://ann:secret@docket.example.org",
      "Leave out the user name and password. You sign in afterwards.",
    ],
    [
      "https://example.org/docket",
      "Enter the address without “/docket”. Docket is at the root of its server.",
    ],
  ];
  for (const [typed, problem] of BAD)
    test(`${typed || "nothing"} is refused`, () => {
      expect(readAddress(typed)).toEqual({ kind: "bad", problem });
    });

  test("the permission is for its host, without the port", () => {
    expect(patternOf("http://127.0.0.1:3625")).toBe("http://127.0.0.1/*");
  });
});

describe("Two addresses of the same page are equal", () => {
  const SAME: readonly (readonly [string, string])[] = [
    ["https://example.org/a?utm_source=mail&id=7&utm_medium=x", "https://example.org/a?id=7"],
    ["https://example.org/a?fbclid=1", "https://example.org/a"],
    ["https://example.org/a#part", "https://example.org/a"],
    ["https://example.org", "https://example.org/"],
    ["https://EXAMPLE.org:443/a", "https://example.org/a"],
  ];
  for (const [one, other] of SAME)
    test(`${one} and ${other}`, () => expect(comparable(one)).toBe(comparable(other)));

  const OTHER: readonly (readonly [string, string])[] = [
    ["https://example.org/a?id=7", "https://example.org/a?id=8"],
    ["https://example.org/#/inbox", "https://example.org/#/sent"],
    ["https://example.org/#!a", "https://example.org/#!b"],
    ["https://example.org/a", "https://example.org/b"],
  ];
  for (const [one, other] of OTHER)
    test(`but not ${one} and ${other}`, () => expect(comparable(one)).not.toBe(comparable(other)));

  test("and what is not tracking keeps its spelling", () => {
    expect(comparable("https://example.org/?q=a%20b+c")).toBe("https://example.org/?q=a%20b+c");
  });
});

describe("A tab can be saved", () => {
  test("if it is a web page, also in Firefox's reader view", () => {
    expect(savableUrl("https://example.org/a")).toBe("https://example.org/a");
    expect(savableUrl("about:reader?url=https%3A%2F%2Fexample.org%2Fa")).toBe(
      "https://example.org/a",
    );
  });

  const REFUSED: readonly (readonly [string, string, string])[] = [
    [
      "Settings",
      "chrome://settings/",
      "“Settings” was not saved: it is a page of the browser or of an extension.",
    ],
    [
      "",
      "about:blank",
      "“about:blank” was not saved: it is a page of the browser or of an extension.",
    ],
    [
      "plan.pdf",
      "file:///home/ann/plan.pdf",
      "“plan.pdf” was not saved: it is a file on this computer, and other devices cannot open it.",
    ],
    [
      "A mark",
      "javascript:alert(1)",
      "“A mark” was not saved: addresses that begin with “javascript:” cannot be opened again.",
    ],
    ["", "", "“A new tab” was not saved: it has no address yet."],
    [
      "x",
      "about:reader?url=file%3A%2F%2F%2Fa",
      "“x” was not saved: it is a page of the browser or of an extension.",
    ],
  ];
  for (const [title, url, sentence] of REFUSED)
    test(`but not ${url || "an empty tab"}`, () => {
      expect(savableUrl(url)).toBeNull();
      expect(whyNotSaved(title, url)).toBe(sentence);
    });
});

const desk = () => {
  let ids = 0;
  return { now: "2026-03-04T12:00:00.000Z", newId: () => `id-${(ids += 1)}` };
};

const tab = (url: string, group: number | null = null) => ({
  url,
  title: `Title of ${url}`,
  pinned: false,
  group,
  open: null,
});

describe("Tabs put into a task", () => {
  const groups = [{ id: 5, title: "Trip", color: "cyan" }];

  test("keep their group's name and colour, and unknown fields of the task survive", () => {
    const { task, added } = withCandidates(
      { title: "T", pages: ["https://example.org/old"], odd: 1 },
      [tab("https://example.org/a", 5), tab("https://example.org/b")],
      groups,
      desk(),
    );
    const at = { added_at: "2026-03-04T12:00:00.000Z" };
    expect(task).toEqual({
      title: "T",
      odd: 1,
      pages: [
        "https://example.org/old",
        {
          id: "id-1",
          url: "https://example.org/a",
          title: "Title of https://example.org/a",
          group: "cyan Trip",
          ...at,
        },
        {
          id: "id-2",
          url: "https://example.org/b",
          title: "Title of https://example.org/b",
          ...at,
        },
      ],
      groups: [{ id: "cyan Trip", title: "Trip", colour: "cyan" }],
    });
    expect(added).toEqual({ tabIds: ["id-1", "id-2"], groupIds: ["cyan Trip"], known: 0 });
  });

  test("are there once, and a group of the same name and colour is the same", () => {
    const known: Payload = {
      pages: [{ id: "p", url: "https://example.org/a?utm_source=x" }],
      groups: [{ id: "g", title: "Trip", colour: "cyan" }],
    };
    const { task, added } = withCandidates(
      known,
      [
        tab("https://example.org/a?fbclid=1", 5),
        tab("https://example.org/c", 5),
        tab("https://example.org/c"),
      ],
      groups,
      desk(),
    );
    expect(added).toEqual({ tabIds: ["id-1"], groupIds: [], known: 2 });
    expect(task["groups"]).toEqual([{ id: "g", title: "Trip", colour: "cyan" }]);
    expect(task["pages"]).toMatchObject([{ id: "p" }, { id: "id-1", group: "g" }]);
  });

  const groupsOf = (task: Payload, group: (typeof groups)[number]) =>
    withCandidates(task, [tab("https://example.org/a", 5)], [group], desk()).task["groups"];

  test("bring a group with an id that another browser gives it too, but only if it has a name", () => {
    const [one, other] = [desk(), desk()];
    one.newId();
    for (const each of [one, other])
      expect(
        withCandidates({}, [tab("https://example.org/a", 5)], groups, each).task["groups"],
      ).toMatchObject([{ id: "cyan Trip" }]);
    expect(groupsOf({}, { id: 5, title: "", color: "cyan" })).toMatchObject([{ id: "id-1" }]);
  });

  test("bring another group than one that was renamed since", () => {
    const renamed = { id: "cyan Trip", title: "Summer", colour: "cyan" };
    expect(groupsOf({ groups: [renamed] }, { id: 5, title: "Trip", color: "cyan" })).toEqual([
      renamed,
      { id: "id-1", title: "Trip", colour: "cyan" },
    ]);
  });

  test("leave nothing behind when the save is undone, except what others did since", () => {
    const before: Payload = { title: "T", pages: [{ id: "p", url: "https://example.org/" }] };
    const { task, added } = withCandidates(
      before,
      [tab("https://example.org/a", 5)],
      groups,
      desk(),
    );
    expect(withoutAdded(task, added)).toEqual({ ...before, groups: [] });
    const joined = {
      ...task,
      pages: [...(task["pages"] as readonly unknown[]), { id: "q", group: "cyan Trip" }],
    };
    expect(withoutAdded(joined, added)).toEqual({
      ...before,
      pages: [
        { id: "p", url: "https://example.org/" },
        { id: "q", group: "cyan Trip" },
      ],
      groups: [{ id: "cyan Trip", title: "Trip", colour: "cyan" }],
    });
  });
});

test("A group gets the browser's colour that is like the saved one, if there is one", () => {
  expect(["teal", "Blue", "gray", "#ff0000", null].map(groupColour)).toEqual([
    "cyan",
    "blue",
    "grey",
    null,
    null,
  ]);
});

type Keys = Record<"default" | "mac", string>;

const keysOf = (commands: object) =>
  (Object.values(commands) as readonly { readonly suggested_key?: Readonly<Keys> }[]).flatMap(
    ({ suggested_key }) => suggested_key ?? [],
  );

describe("The keys", () => {
  // Alt+Shift and a letter: Chrome's own for tab groups, toolbars, the infobar and feedback, and Edge's for its panes.
  const TAKEN = ["A", "B", "C", "F", "I", "N", "P", "T", "W", "X", "Z"];

  test("are as many as Chrome accepts", () => {
    expect(keysOf(CHROME_COMMANDS).length).toBeLessThanOrEqual(4);
  });

  test("clash with none of the browsers' own, nor with one another", () => {
    const keys = keysOf(FIREFOX_COMMANDS);
    expect(keys).toEqual(expect.arrayContaining(keysOf(CHROME_COMMANDS)));
    expect(new Set(keys.map((key) => key.default)).size).toBe(keys.length);
    for (const { default: usual, mac } of keys) {
      expect(usual).toMatch(/^Alt\+Shift\+[A-Z]$/);
      expect(TAKEN).not.toContain(usual.at(-1));
      expect(mac).toBe(usual.replace("Alt", "MacCtrl"));
    }
  });
});
