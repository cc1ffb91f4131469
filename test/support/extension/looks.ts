import axe from "axe-core";
import { join } from "node:path";
import type { Page } from "puppeteer-core";
import { record } from "./home.ts";

export const taskRecord = (id: string, title: string, project: string | null, web: URL) =>
  record("sync_tasks", id, {
    title,
    status: "todo",
    project_id: project,
    notes: [],
    pages: [
      "Oslo",
      "Bergen",
      "A page with a rather long title that does not fit into one line",
    ].map((name) => ({
      id: `${id}-${name}`,
      title: name,
      url: new URL(encodeURI(name), web).href,
    })),
  });

export const folderRecord = (id: string, name: string) => record("sync_projects", id, { name });

const SCHEMES = ["light", "dark"] as const;

/** Checks a page in these schemes. Saves a picture of each if the variable `SCREENSHOTS` names a directory. */
export const lookAt = async (
  page: Page,
  name: string,
  schemes: readonly (typeof SCHEMES)[number][] = SCHEMES,
): Promise<readonly string[]> => {
  const found: string[] = [];
  for (const scheme of schemes) {
    await page.emulateMediaFeatures([
      { name: "prefers-color-scheme", value: scheme },
      { name: "prefers-reduced-motion", value: "reduce" },
    ]);
    const directory = process.env["SCREENSHOTS"];
    if (directory) await page.screenshot({ path: join(directory, `${name}-${scheme}.png`) });
    found.push(...(await findingsOn(page)).map((finding) => `${name} ${scheme}: ${finding}`));
  }
  return found;
};

/** Checks a page in light when it is wide, and in dark when it is narrow; all four for pictures. */
export const lookAtSizes = async (page: Page, name: string): Promise<readonly string[]> => {
  const found: string[] = [];
  for (const [width, scheme] of [
    [1280, "light"],
    [390, "dark"],
  ] as const) {
    await page.setViewport({ width, height: 844 });
    const schemes = process.env["SCREENSHOTS"] ? SCHEMES : [scheme];
    found.push(...(await lookAt(page, `${name}-${width}`, schemes)));
  }
  return found;
};

const findingsOn = async (page: Page): Promise<readonly string[]> => {
  await page.evaluate(axe.source);
  const { violations } = (await page.evaluate("axe.run()")) as axe.AxeResults;
  const isWide = await page.evaluate(
    "document.documentElement.scrollWidth > document.documentElement.clientWidth",
  );
  return [
    ...(isWide === true ? ["wider than the window"] : []),
    ...violations
      .filter(({ impact }) => impact === "serious" || impact === "critical")
      .map(({ id, nodes }) => `${id} at ${nodes.map(({ target }) => target).join(", ")}`),
  ];
};
