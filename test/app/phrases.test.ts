import { afterAll, expect, test } from "bun:test";
import { dayAtEnd, dayOf } from "../../src/ui/words/phrases.ts";
import { readQuick } from "../../src/ui/words/quick.ts";

/** A Wednesday, a Saturday that is the last but one of its month, and a leap day, a Tuesday. */
const DAYS = ["2026-11-25", "2027-01-30", "2028-02-29"];
const ZONES = ["UTC", "America/Los_Angeles", "Pacific/Auckland"];

type Meant = readonly (string | null)[];

/** What phrases mean on each of these days, in British English and, where that differs, in American English. */
const PHRASES: readonly (readonly [phrase: string, days: Meant, american?: Meant])[] = [
  ["today", ["2026-11-25", "2027-01-30", "2028-02-29"]],
  ["tod", ["2026-11-25", "2027-01-30", "2028-02-29"]],
  ["tonight", ["2026-11-25", "2027-01-30", "2028-02-29"]],
  ["tomorrow", ["2026-11-26", "2027-01-31", "2028-03-01"]],
  ["tmr", ["2026-11-26", "2027-01-31", "2028-03-01"]],
  ["tmrw", ["2026-11-26", "2027-01-31", "2028-03-01"]],
  ["day after tomorrow", ["2026-11-27", "2027-02-01", "2028-03-02"]],
  ["the day after tomorrow", ["2026-11-27", "2027-02-01", "2028-03-02"]],
  ["yesterday", ["2026-11-24", "2027-01-29", "2028-02-28"]],
  ["2 days ago", ["2026-11-23", "2027-01-28", "2028-02-27"]],
  ["friday", ["2026-11-27", "2027-02-05", "2028-03-03"]],
  ["fri", ["2026-11-27", "2027-02-05", "2028-03-03"]],
  ["on friday", ["2026-11-27", "2027-02-05", "2028-03-03"]],
  ["by friday", ["2026-11-27", "2027-02-05", "2028-03-03"]],
  ["due monday", ["2026-11-30", "2027-02-01", "2028-03-06"]],
  ["this friday", ["2026-11-27", "2027-02-05", "2028-03-03"]],
  ["next friday", ["2026-12-04", "2027-02-05", "2028-03-10"]],
  ["next fri", ["2026-12-04", "2027-02-05", "2028-03-10"]],
  ["monday", ["2026-11-30", "2027-02-01", "2028-03-06"]],
  ["mon", ["2026-11-30", "2027-02-01", "2028-03-06"]],
  ["next monday", ["2026-11-30", "2027-02-01", "2028-03-06"]],
  ["sat", ["2026-11-28", "2027-01-30", "2028-03-04"]],
  ["sunday", ["2026-11-29", "2027-01-31", "2028-03-05"]],
  ["friday next week", ["2026-12-04", "2027-02-05", "2028-03-10"]],
  ["weekend", ["2026-11-28", "2027-01-30", "2028-03-04"]],
  ["this weekend", ["2026-11-28", "2027-01-30", "2028-03-04"]],
  ["next weekend", ["2026-12-05", "2027-02-06", "2028-03-11"]],
  ["next week", ["2026-11-30", "2027-02-01", "2028-03-06"]],
  ["next month", ["2026-12-01", "2027-02-01", "2028-03-01"]],
  ["next year", ["2027-01-01", "2028-01-01", "2029-01-01"]],
  ["in 3 days", ["2026-11-28", "2027-02-02", "2028-03-03"]],
  ["3 days", ["2026-11-28", "2027-02-02", "2028-03-03"]],
  ["1 day", ["2026-11-26", "2027-01-31", "2028-03-01"]],
  ["in 10 d", ["2026-12-05", "2027-02-09", "2028-03-10"]],
  ["+3", ["2026-11-28", "2027-02-02", "2028-03-03"]],
  ["+3d", ["2026-11-28", "2027-02-02", "2028-03-03"]],
  ["in a week", ["2026-12-02", "2027-02-06", "2028-03-07"]],
  ["a week", ["2026-12-02", "2027-02-06", "2028-03-07"]],
  ["in 2 weeks", ["2026-12-09", "2027-02-13", "2028-03-14"]],
  ["in two weeks", ["2026-12-09", "2027-02-13", "2028-03-14"]],
  ["2w", ["2026-12-09", "2027-02-13", "2028-03-14"]],
  ["+2w", ["2026-12-09", "2027-02-13", "2028-03-14"]],
  ["in a fortnight", ["2026-12-09", "2027-02-13", "2028-03-14"]],
  ["a fortnight", ["2026-12-09", "2027-02-13", "2028-03-14"]],
  ["in a month", ["2026-12-25", "2027-02-28", "2028-03-29"]],
  ["1m", ["2026-12-25", "2027-02-28", "2028-03-29"]],
  ["+1m", ["2026-12-25", "2027-02-28", "2028-03-29"]],
  ["in 6 months", ["2027-05-25", "2027-07-30", "2028-08-29"]],
  ["in half a year", ["2027-05-25", "2027-07-30", "2028-08-29"]],
  ["in 1 year", ["2027-11-25", "2028-01-30", "2029-02-28"]],
  ["in a year", ["2027-11-25", "2028-01-30", "2029-02-28"]],
  ["1 dec", ["2026-12-01", "2027-12-01", "2028-12-01"]],
  ["dec 1", ["2026-12-01", "2027-12-01", "2028-12-01"]],
  ["1 december", ["2026-12-01", "2027-12-01", "2028-12-01"]],
  ["december 1st", ["2026-12-01", "2027-12-01", "2028-12-01"]],
  ["1st dec", ["2026-12-01", "2027-12-01", "2028-12-01"]],
  ["the 1st of december", ["2026-12-01", "2027-12-01", "2028-12-01"]],
  ["3rd march", ["2027-03-03", "2027-03-03", "2028-03-03"]],
  ["feb 29", ["2028-02-29", "2028-02-29", "2028-02-29"]],
  ["29 feb", ["2028-02-29", "2028-02-29", "2028-02-29"]],
  ["dec 1 2027", ["2027-12-01", "2027-12-01", "2027-12-01"]],
  ["1 dec 2027", ["2027-12-01", "2027-12-01", "2027-12-01"]],
  ["1 dec, 2027", ["2027-12-01", "2027-12-01", "2027-12-01"]],
  ["2027-01-31", ["2027-01-31", "2027-01-31", "2027-01-31"]],
  ["31.1.", ["2027-01-31", "2027-01-31", "2029-01-31"]],
  ["31.1", ["2027-01-31", "2027-01-31", "2029-01-31"]],
  ["29.2.", ["2028-02-29", "2028-02-29", "2028-02-29"]],
  ["31.1.2027", ["2027-01-31", "2027-01-31", "2027-01-31"]],
  ["5th", ["2026-12-05", "2027-02-05", "2028-03-05"]],
  ["the 5th", ["2026-12-05", "2027-02-05", "2028-03-05"]],
  ["31st", ["2026-12-31", "2027-01-31", "2028-03-31"]],
  ["1/2", ["2027-02-01", "2027-02-01", "2029-02-01"], ["2027-01-02", "2028-01-02", "2029-01-02"]],
  [
    "1/2/2027",
    ["2027-02-01", "2027-02-01", "2027-02-01"],
    ["2027-01-02", "2027-01-02", "2027-01-02"],
  ],
  [
    "01/02/2027",
    ["2027-02-01", "2027-02-01", "2027-02-01"],
    ["2027-01-02", "2027-01-02", "2027-01-02"],
  ],
  ["31/1", ["2027-01-31", "2027-01-31", "2029-01-31"]],
  ["end of month", ["2026-11-30", "2027-01-31", "2028-02-29"]],
  ["eom", ["2026-11-30", "2027-01-31", "2028-02-29"]],
  ["end of the month", ["2026-11-30", "2027-01-31", "2028-02-29"]],
  ["end of next month", ["2026-12-31", "2027-02-28", "2028-03-31"]],
  ["end of year", ["2026-12-31", "2027-12-31", "2028-12-31"]],
  ["eoy", ["2026-12-31", "2027-12-31", "2028-12-31"]],
  ["march", ["2027-03-01", "2027-03-01", "2028-03-01"]],
  ["this week", [null, null, null]],
  ["last friday", [null, null, null]],
  ["30 feb", [null, null, null]],
  ["15", [null, null, null]],
  ["noon", [null, null, null]],
  ["at 5pm", [null, null, null]],
  ["tomorrow at 9", [null, null, null]],
  ["in 90 minutes", [null, null, null]],
  ["now", [null, null, null]],
  ["later", [null, null, null]],
  ["second", [null, null, null]],
  ["mid december", [null, null, null]],
  ["  NEXT   Friday ", ["2026-12-04", "2027-02-05", "2028-03-10"]],
];

const { TZ } = process.env;
afterAll(() => {
  if (TZ === undefined) delete process.env["TZ"];
  else process.env["TZ"] = TZ;
});

test.each(ZONES)("Days in plain words are those that people mean, in %s", (zone) => {
  process.env["TZ"] = zone;
  for (const [locale, column] of [
    ["en-GB", 1],
    ["en-US", 2],
  ] as const)
    for (const row of PHRASES) {
      const [phrase, days] = row;
      const meant = DAYS.map((today) => dayOf(phrase, today, locale));
      expect([phrase, locale, meant]).toEqual([phrase, locale, [...(row[column] ?? days)]]);
    }
});

const quick = (text: string, refused: readonly string[] = []) =>
  readQuick(text, (title) => dayAtEnd(title, "2026-11-25", "en-GB"), refused);

test.each<[string, string, string | null, readonly string[]]>([
  ["Buy milk tomorrow #errands", "Buy milk", "2026-11-26", ["errands"]],
  ["Buy milk #errands tomorrow", "Buy milk", "2026-11-26", ["errands"]],
  ["Report due next friday", "Report", "2026-12-04", []],
  ["Pay the rent on the 1st of december", "Pay the rent", "2026-12-01", []],
  ["Call by the end of next month", "Call", "2026-12-31", []],
  ["Walk this weekend #out #dog", "Walk", "2026-11-28", ["out", "dog"]],
  ["Müll rausbringen #haus-arbeit", "Müll rausbringen", null, ["haus-arbeit"]],
  ["Pay the rent on the 5th", "Pay the rent", "2026-12-05", []],
  ["Call Ann on fri", "Call Ann", "2026-11-27", []],
  ["https://a.example/ in 2 weeks", "https://a.example/", "2026-12-09", []],
])("%j is understood", (text, title, day, tags) => {
  const { title: left, due, tags: found } = quick(text);
  expect([left, due?.day ?? null, [...found]]).toEqual([title, day, [...tags]]);
});

test.each([
  "Ask May",
  "Catch some sun",
  "Read chapter 1/2",
  "Version 2.1",
  "Sprint in march",
  "Plan the weekend",
  "Rent a car 3 days",
  "Meet at 5pm",
  "Meet tomorrow at 9",
  "Look at the 2nd",
  "Yesterday's news yesterday",
  "tomorrow",
  "#errands",
  "Fix bug #42",
  "Two lines\ntomorrow",
])("%j stays as it is", (text) => {
  expect(quick(text)).toEqual({ title: text, due: null, tags: [], last: null });
});

test("What somebody refuses stays in the title", () => {
  expect(quick("Watch The Day After tomorrow #film", ["#film"]).title).toBe(
    "Watch The Day After tomorrow #film",
  );
  expect(quick("Watch Tomorrow tomorrow", ["tomorrow"]).title).toBe("Watch Tomorrow tomorrow");
});
