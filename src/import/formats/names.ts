const NAMES: Readonly<Record<string, string>> = {
  csv: "a table",
  docket: "Docket's own export",
  "firefox-json": "a backup of Firefox's bookmarks",
  ics: "to-dos of a calendar",
  karakeep: "Karakeep",
  linkwarden: "Linkwarden",
  netscape: "bookmarks as HTML",
  omnivore: "Omnivore",
  onetab: "OneTab",
  pocket: "Pocket",
  raindrop: "Raindrop.io",
  "session-buddy": "Session Buddy",
  sidebery: "Sidebery",
  "simple-tab-groups": "Simple Tab Groups",
  "super-productivity": "Super Productivity",
  "tab-session-manager": "Tab Session Manager",
  "tabs-outliner": "Tabs Outliner",
  taskwarrior: "Taskwarrior",
  text: "links as text",
  ticktick: "TickTick",
  toby: "Toby",
  todoist: "Todoist",
  todotxt: "todo.txt",
  trello: "Trello",
  vikunja: "Vikunja",
  workona: "Workona",
};

/** What people call a format. */
export const nameOfFormat = (format: string): string => NAMES[format] ?? format;

const isTool = (name: string): boolean => /^[A-Z]|^todo\.txt$/.test(name);

/** What people call the formats that they get elsewhere: tools first, then kinds of files. */
export const ELSEWHERE: readonly string[] = Object.entries(NAMES)
  .filter(([format]) => format !== "docket")
  .map(([, name]) => name)
  .toSorted((a, b) => Number(isTool(b)) - Number(isTool(a)) || a.localeCompare(b, "en"));
