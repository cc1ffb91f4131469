import { readFileSync } from "node:fs";
import { join } from "node:path";
import { record } from "./home.ts";

const MARK = readFileSync(join(import.meta.dir, "../../../src/web/assets/icon.svg")).toString(
  "base64",
);

/** What stands beside each screenshot. */
export const CAPTIONS = {
  save: ["Save tabs into tasks", "This tab, the selected ones, a group or the whole window."],
  open: ["Open them again", "One, some or all: here, in a new window, or as a group."],
  panel: ["Your tasks beside the page", "Search them, edit them, and drag open tabs onto them."],
  window: ["A window for a task", "What you open there is saved in the task."],
} as const;

const COLOURS = {
  light: { text: "#1c1e2b", soft: "#555a70", from: "#f3f4fd", to: "#dde1fa" },
  dark: { text: "#f2f3fa", soft: "#b4b8cc", from: "#1b1d29", to: "#10111a" },
} as const;

const mark = (size: number): string =>
  `<img src="data:image/svg+xml;base64,${MARK}" width="${size}" height="${size}">`;

const page = (style: string, body: string): string =>
  `<!doctype html><meta charset="utf-8"><style>
    * { margin: 0; box-sizing: border-box; }
    body { font-family: system-ui, sans-serif; height: 100vh; display: flex; align-items: center; ${style} }
  </style><body>${body}</body>`;

/** The mark alone, on nothing, with a margin. */
export const icon = (size: number, margin: number): string =>
  page("justify-content: center", mark(size - 2 * margin));

/** The mark and the name, for the places where stores advertise. */
export const tile = (width: number): string =>
  page(
    `justify-content: center; gap: ${width / 26}px; color: #1c1e2b;
     background: linear-gradient(135deg, ${COLOURS.light.from}, ${COLOURS.light.to})`,
    `${mark(width / 5)}<div><b style="font-size: ${width / 9}px; line-height: 1.1">Docket</b>
     <p style="font-size: ${width / 24}px; color: #555a70">Tabs become tasks</p></div>`,
  );

/** A picture of twice its width in pixels, with its caption beside it. */
export const captioned = (
  name: keyof typeof CAPTIONS,
  picture: string,
  width: number,
  scheme: keyof typeof COLOURS,
): string => {
  const { text, soft, from, to } = COLOURS[scheme];
  const [title, sentence] = CAPTIONS[name];
  return page(
    `justify-content: space-around; padding: 0 60px; color: ${text};
     background: linear-gradient(135deg, ${from}, ${to})`,
    `<div style="width: 520px">${mark(56)}
       <h1 style="font-size: 52px; line-height: 1.15; margin: 24px 0 16px">${title}</h1>
       <p style="font-size: 26px; line-height: 1.4; color: ${soft}">${sentence}</p></div>
     <img src="data:image/png;base64,${picture}" width="${width}"
       style="border-radius: 12px; box-shadow: 0 12px 48px #0005, 0 0 0 1px #8883">`,
  );
};

const task = (id: string, title: string, more: object, paths: readonly string[] = []) =>
  record("sync_tasks", id, {
    title,
    status: "todo",
    notes: [],
    pages: paths.map((path, at) => ({
      id: `${id}-${at}`,
      title: path.slice(path.indexOf("/") + 1),
      url: encodeURI(`http://${path}`),
    })),
    ...more,
  });

/** What ann has on her server. */
export const TASKS = [
  record("sync_projects", "travel", { name: "Travel", colour: "cyan" }),
  record("sync_projects", "home", { name: "Home", colour: "green" }),
  task("bicycle", "Repair the bicycle", { project_id: "home" }, [
    "bikes.example/How to change a chain",
    "bikes.example/Brake pads compared",
  ]),
  task("fjords", "Read about fjords", { project_id: "travel", tags: ["reading"] }, [
    "maps.example/How a fjord is made",
  ]),
  task("present", "A present for Bob", { tags: ["family"] }, [
    "books.example/Ten books about the sea",
    "music.example/Records of this spring",
  ]),
  task("norway", "Plan the journey to Norway", { project_id: "travel", status: "in_progress" }, [
    "fjords.example/Ferry timetable: Bergen to Flåm",
    "trains.example/Oslo to Bergen by train",
    "huts.example/A hut above the Aurlandsfjord",
    "weather.example/Bergen in June",
  ]),
];
