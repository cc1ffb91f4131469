import { expect, test } from "bun:test";
import { readImport } from "../../src/import/read.ts";

/** What an import makes, in short: folder, title, status, due, tags, addresses, notes. */
const read = (name: string, text: string): unknown => {
  const found = readImport(name, Buffer.from(text));
  if ("error" in found) return found;
  const { format, tasks, skipped } = found;
  return {
    format,
    tasks: tasks.map(
      ({ folder, title, status, due, tags, tabs, notes }) =>
        [folder, title, status, due, tags, tabs.map(({ url }) => url), notes] as const,
    ),
    skipped: skipped.map(({ what, reason }) => `${reason}: ${what}`),
  };
};

test("Taskwarrior's export, as a list or an object a line", () => {
  const tasks = [
    {
      uuid: "1",
      entry: "20260101T000000Z",
      description: "Call [Ada](https://ada.example/)",
      project: "home.garden",
      tags: ["phone"],
      priority: "H",
      due: "20260131T230000Z",
      status: "pending",
      annotations: [{ description: "see https://note.example/." }],
    },
    { uuid: "2", entry: "20260101T000000Z", description: "Old", status: "completed" },
    { uuid: "3", entry: "20260101T000000Z", description: "Gone", status: "deleted" },
  ];
  const expected = {
    format: "taskwarrior",
    tasks: [
      [
        "home / garden",
        "Call Ada",
        "todo",
        "2026-01-31",
        ["phone", "p1"],
        ["https://ada.example/", "https://note.example/"],
        ["see https://note.example/.", "Due: 20260131T230000Z"],
      ],
      ["Taskwarrior", "Old", "done", null, [], [], []],
    ],
    skipped: ["automatic: Gone"],
  };
  expect(read("a.json", JSON.stringify(tasks))).toEqual(expected);
  const lines = tasks.map((task) => JSON.stringify(task)).join("\n");
  expect(read("a.json", lines)).toEqual(expected);
});

test("todo.txt", () => {
  const text = [
    "(A) Plant oaks +Garden_trees @spring due:2026-04-01 https://oak.example/",
    "x 2026-01-02 2026-01-01 Buy seeds +Garden_trees",
    "Write to bob@example.org @mail",
  ].join("\n");
  expect(read("todo.txt", text)).toEqual({
    format: "todotxt",
    tasks: [
      [
        "Garden trees",
        "Plant oaks",
        "todo",
        "2026-04-01",
        ["spring", "p1"],
        ["https://oak.example/"],
        [],
      ],
      ["Garden trees", "Buy seeds", "done", null, [], [], []],
      ["todo.txt", "Write to bob@example.org", "todo", null, ["mail"], [], []],
    ],
    skipped: [],
  });
});

test("Omnivore and Workona", () => {
  const articles = [
    {
      url: "https://a.example/",
      title: "A",
      labels: ["x"],
      savedAt: "2024-01-01T00:00:00Z",
      state: "Archived",
    },
    {
      url: "https://b.example/",
      title: "B",
      labels: [],
      savedAt: "2024-01-01T00:00:00Z",
      state: "Active",
    },
  ];
  expect(read("metadata_0_to_20.json", JSON.stringify(articles))).toEqual({
    format: "omnivore",
    tasks: [
      ["Omnivore", "A", "done", null, ["x"], ["https://a.example/"], []],
      ["Omnivore", "B", "todo", null, [], ["https://b.example/"], []],
    ],
    skipped: [],
  });
  const spaces = {
    Workspaces: [{ title: "Trip", tabs: [{ url: "https://c.example/", title: "C" }] }],
  };
  expect(read("a.json", JSON.stringify(spaces))).toEqual({
    format: "workona",
    tasks: [["Workona", "Trip", "todo", null, [], ["https://c.example/"], []]],
    skipped: [],
  });
});

test("A board of Trello", () => {
  const board = {
    name: "House",
    lists: [
      { id: "l2", name: "Later", pos: 2 },
      { id: "l1", name: "Now", pos: 1 },
    ],
    cards: [
      {
        id: "c1",
        name: "Roof",
        desc: "Ask https://roof.example/",
        idList: "l2",
        pos: 1,
        closed: true,
        labels: [{ name: "", color: "red" }],
      },
      {
        id: "c2",
        name: "Door",
        desc: "",
        idList: "l1",
        pos: 1,
        due: "2026-05-01T10:00:00.000Z",
        labels: [],
      },
    ],
    checklists: [
      {
        id: "k",
        idCard: "c2",
        name: "Parts",
        checkItems: [
          { name: "Hinge", state: "complete" },
          { name: "Lock", state: "incomplete" },
        ],
      },
    ],
  };
  expect(read("b.json", JSON.stringify(board))).toEqual({
    format: "trello",
    tasks: [
      [
        "House / Now",
        "Door",
        "todo",
        "2026-05-01",
        [],
        [],
        ["Parts\n- [x] Hinge\n- [ ] Lock", "Due: 2026-05-01T10:00:00.000Z"],
      ],
      [
        "House / Later",
        "Roof",
        "done",
        null,
        ["red"],
        ["https://roof.example/"],
        ["Ask https://roof.example/"],
      ],
    ],
    skipped: [],
  });
});

test("The to-dos of a calendar", () => {
  const lines = [
    "BEGIN:VCALENDAR",
    "X-WR-CALNAME:Chores",
    "BEGIN:VEVENT",
    "SUMMARY:Party",
    "END:VEVENT",
    "BEGIN:VTODO",
    "UID:1",
    "SUMMARY;LANGUAGE=en:Clean\\, then",
    "  rest",
    "DUE;VALUE=DATE:20260401",
    "STATUS:COMPLETED",
    "CATEGORIES:home,spring",
    "PRIORITY:5",
    "DESCRIPTION:one\\ntwo",
    "END:VTODO",
    "END:VCALENDAR",
  ];
  expect(read("a.ics", lines.join("\r\n"))).toEqual({
    format: "ics",
    tasks: [
      [
        "Chores",
        "Clean, then rest",
        "done",
        "2026-04-01",
        ["home", "spring", "p2"],
        [],
        ["one\ntwo"],
      ],
    ],
    skipped: [],
  });
});

test("Vikunja's projects, with formatted words as plain ones", () => {
  const projects = [
    { id: 1, title: "Home", parent_project_id: 0, hex_color: "", tasks: null },
    {
      id: 2,
      title: "Garden",
      parent_project_id: 1,
      hex_color: "ff0000",
      tasks: [
        {
          id: 7,
          title: "Plant oaks",
          description:
            '<p>See <a href="https://oak.example/">the guide</a> &amp; more</p><ul><li data-checked="true"><p>Dig</p></li><li data-checked="false"><p>Water</p></li></ul>',
          done: false,
          due_date: "2026-04-01T09:30:00Z",
          priority: 4,
          labels: [{ title: "spring" }],
          comments: [{ comment: "<p>https://shop.example/</p>" }],
        },
        { id: 8, title: "Old", done: true, due_date: "0001-01-01T00:00:00Z", priority: 0 },
      ],
    },
    {
      id: 3,
      title: "Ring",
      parent_project_id: 3,
      hex_color: "",
      tasks: [{ id: 9, title: "Round" }],
    },
  ];
  expect(read("data.json", JSON.stringify(projects))).toEqual({
    format: "vikunja",
    tasks: [
      [
        "Home / Garden",
        "Plant oaks",
        "todo",
        "2026-04-01",
        ["spring", "p1"],
        ["https://oak.example/", "https://shop.example/"],
        [
          "See [the guide](https://oak.example/) & more\n- [x] Dig\n- [ ] Water",
          "https://shop.example/",
          "Due: 2026-04-01T09:30:00Z",
        ],
      ],
      ["Home / Garden", "Old", "done", null, [], [], []],
      ["Ring", "Round", "todo", null, [], [], []],
    ],
    skipped: [],
  });
});

const entities = (...all: readonly { readonly id: string }[]) => ({
  ids: all.map(({ id }) => id),
  entities: Object.fromEntries(all.map((one) => [one.id, one])),
});

test("A backup of Super Productivity, as it was and as it is now", () => {
  const data = {
    project: entities({ id: "P", title: "Garden", taskIds: ["2", "1"] } as never),
    tag: entities({ id: "T", title: "spring" } as never, { id: "TODAY", title: "Today" } as never),
    task: entities(
      { id: "1", title: "Buy seeds", projectId: "P", isDone: false, dueDay: "2026-04-01" } as never,
      {
        id: "2",
        title: "Plant [oaks](https://oak.example/)",
        projectId: "P",
        subTaskIds: ["3"],
        tagIds: ["T", "TODAY"],
        notes: "deep",
        dueWithTime: Date.UTC(2026, 3, 2, 9),
        attachments: [{ type: "LINK", path: "https://shop.example/", title: "Shop" }],
      } as never,
      { id: "3", title: "Dig", parentId: "2", projectId: "P", isDone: true } as never,
    ),
    archiveYoung: { task: entities({ id: "4", title: "Old", isDone: true } as never) },
  };
  const expected = {
    format: "super-productivity",
    tasks: [
      [
        "Garden",
        "Plant oaks",
        "todo",
        "2026-04-02",
        ["spring"],
        ["https://oak.example/", "https://shop.example/"],
        ["deep", "Due: 2026-04-02T09:00:00.000Z"],
      ],
      ["Garden", "Plant oaks › Dig", "done", null, [], [], []],
      ["Garden", "Buy seeds", "todo", "2026-04-01", [], [], []],
      ["Super Productivity", "Old", "done", null, [], [], []],
    ],
    skipped: [],
  };
  expect(read("backup.json", JSON.stringify({ timestamp: 1, data }))).toEqual(expected);
  expect(read("backup.json", JSON.stringify(data))).toEqual(expected);
});

const tab = (url: string, title: string, marks = {}) => ({ marks, data: { url, title } });

test("A tree of Tabs Outliner", () => {
  const tree = [
    { type: 2000, node: { type: "session", data: { treeId: 1 } } },
    [2001, { type: "savedwin", marks: { customTitle: "Trip" }, data: {} }, [0]],
    [2001, tab("https://a.example/", "A"), [0, 0]],
    [2001, tab("https://b.example/", "B", { customTitle: "Below" }), [0, 0, 0]],
    [2001, { type: "textnote", data: { note: "Ask Ada" } }, [0, 1]],
    [2001, { type: "group", data: {} }, [0, 2]],
    [2001, tab("https://c.example/", "C"), [0, 2, 0]],
    [2001, { type: "separatorline", data: {} }, [1]],
    [2001, { type: "win", data: {} }, [2]],
    [2001, tab("chrome://version/", "V"), [2, 0]],
    [2001, tab("https://d.example/", "D"), [2, 1]],
    [2001, tab("https://lost.example/", "L"), [9, 9]],
    { type: 11_111, time: 1 },
  ];
  expect(read("a.tree", JSON.stringify(tree))).toEqual({
    format: "tabs-outliner",
    tasks: [
      ["Trip", "Trip", "todo", null, [], ["https://a.example/", "https://b.example/"], ["Ask Ada"]],
      ["Trip", "Group 1", "todo", null, [], ["https://c.example/"], []],
      ["Tabs Outliner", "Window 2", "todo", null, [], ["https://d.example/"], []],
    ],
    skipped: ["unsupported: chrome://version/"],
  });
});
