import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "puppeteer-core";
import { CAPTIONS, captioned, icon, TASKS, tile } from "./picture-frames.ts";
import { ask } from "./ask.ts";
import { type Chrome, press, startChrome, unpack } from "./chrome.ts";
import { type Home, startHome, until } from "./home.ts";

const SCHEMES = ["light", "dark"] as const;

/** In pixels: what the stores show of an extension. */
const ICONS = [16, 32, 48, 64, 128, 300];
const TILES = [
  [440, 280],
  [1400, 560],
] as const;
const SCREEN = { width: 1280, height: 800 };

type Place = { readonly directory: string; readonly data: string };

/**
 * Writes the icons, tiles and screenshots for the stores into a directory, taken of the packed extension in Chromium
 * against the compiled program. `data` is an empty directory for everything else.
 */
export const writePictures = async ({ directory, data }: Place): Promise<void> => {
  mkdirSync(directory, { recursive: true });
  const home = await startHome(join(data, "home"), ["--allowed-hosts", "docket.lan"]);
  unpack(join(data, "extension"));
  // Addresses look as they do elsewhere, and lead to ann's server and pages.
  const { host } = new URL(home.url);
  const rules = `--host-resolver-rules=MAP docket.lan ${host}, MAP *.example ${home.web.host}`;
  const chrome = await startChrome(join(data, "extension"), join(data, "profile"), [rules]);
  try {
    await begin(home, chrome);
    const taken = [...(await takePopup(chrome)), ...(await takePanel(chrome))];
    await takeOptions(chrome, directory);
    const canvas = await chrome.browser.newPage();
    await takeDrawn(canvas, directory);
    for (const { name, scheme, picture, width } of taken) {
      await canvas.setViewport(SCREEN);
      await canvas.setContent(captioned(name, picture, width, scheme));
      await canvas.screenshot({ path: join(directory, `${name}-${scheme}.png`) });
    }
  } finally {
    await chrome.close();
    await home.end();
  }
};

type Taken = {
  readonly name: keyof typeof CAPTIONS;
  readonly scheme: (typeof SCHEMES)[number];
  readonly width: number;
  /** Twice as many pixels each way, in Base64. */
  readonly picture: string;
};

const takeDrawn = async (canvas: Page, directory: string): Promise<void> => {
  const draw = async (html: string, width: number, height: number, name: string): Promise<void> => {
    await canvas.setViewport({ width, height });
    await canvas.setContent(html);
    await canvas.screenshot({ path: join(directory, `${name}.png`), omitBackground: true });
  };
  for (const size of ICONS) await draw(icon(size, 0), size, size, `icon-${size}`);
  // Chrome's store wants air around it.
  await draw(icon(128, 16), 128, 128, "icon-128-chrome-store");
  for (const [width, height] of TILES) await draw(tile(width), width, height, `tile-${width}`);
};

/** Signs in to a server with tasks, and opens tabs. */
const begin = async (home: Home, chrome: Chrome): Promise<void> => {
  await home.api("POST", "/sync", TASKS);
  await home.signIn(chrome, "http://docket.lan");
  for (const path of [
    "fjords.example/Ferry timetable: Bergen to Flåm",
    "trains.example/Oslo to Bergen by train",
    "huts.example/A hut above the Aurlandsfjord",
    "news.example/The week in pictures",
  ])
    await chrome.visit(encodeURI(`http://${path}`));
  await chrome.inWorker(GROUP);
};

const GROUP = `chrome.tabs.query({}).then(async (tabs) => {
  await chrome.tabs.remove(tabs.filter(({ url }) => !url.startsWith("http")).map(({ id }) => id));
  const tabIds = tabs.filter(({ url }) => /fjords|trains|huts/.test(url)).map(({ id }) => id);
  const group = await chrome.tabs.group({ tabIds });
  await chrome.tabGroups.update(group, { title: "Norway", color: "cyan" });
  await chrome.tabs.update(tabIds[0], { active: true });
})`;

/** Takes a page in both schemes. */
const take = async (
  page: Page,
  name: Taken["name"],
  size: { readonly width: number; readonly height: number },
): Promise<readonly Taken[]> => {
  const taken: Taken[] = [];
  for (const scheme of SCHEMES) {
    await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]);
    const clip = { x: 0, y: 0, ...size, scale: 2 };
    const picture = await page.screenshot({ encoding: "base64", clip });
    taken.push({ name, scheme, width: size.width, picture });
  }
  return taken;
};

/** Lets a popup be as high as what it shows. Returns its size. */
const wholeOf = async (popup: Page) => {
  const size = await popup.evaluate(() => ({
    width: document.documentElement.clientWidth,
    height: Math.ceil(document.body.getBoundingClientRect().height),
  }));
  await popup.setViewport(size);
  return size;
};

const FRONT =
  "chrome.tabs.query({ url: '*://fjords.example/*' }).then(([{ id }]) => chrome.tabs.update(id, { active: true })).then(() => 0)";

const POPUP_BEHIND =
  "chrome.tabs.create({ url: chrome.runtime.getURL('popup.html'), active: false }).then(() => 0)";

const takePopup = async (chrome: Chrome): Promise<readonly Taken[]> => {
  // In a tab behind the one in front: the popup itself has the size that the browser gives it.
  const shown = chrome.browser.waitForTarget((target) => target.url().endsWith("/popup.html"));
  await chrome.inWorker(POPUP_BEHIND);
  const popup = (await (await shown).page()) ?? (await (await shown).asPage());
  await popup.setViewport({ width: 400, height: 600 });
  await popup.waitForSelector(".popup-head");
  // By now it has read which tab was in front.
  await popup.bringToFront();
  await popup.$eval("input[name=what][value=group]", (one) => (one as HTMLInputElement).click());
  await popup.type(".chooser input", "Nor");
  await popup.waitForFunction("document.body.innerText.includes('journey')", { polling: 50 });
  const save = await take(popup, "save", await wholeOf(popup));
  await popup.$eval("nav .turn:nth-child(2)", (one) => (one as HTMLElement).click());
  await popup.waitForSelector("input[placeholder='Find a task']");
  await popup.type(".chooser input", "journey");
  await popup.keyboard.press("Enter");
  await popup.waitForSelector(".tabs-to-open");
  const open = await take(popup, "open", await wholeOf(popup));
  await popup.close();
  await chrome.inWorker(FRONT);
  return [...save, ...open];
};

const PANEL = { width: 400, height: 720 };

const openPanel = async (chrome: Chrome): Promise<Page> => {
  const popup = await chrome.popup();
  const shown = chrome.browser.waitForTarget((target) => target.url().includes("/panel.html"));
  await press(popup, "Open the side panel").catch(() => {});
  const panel = await (await shown).asPage();
  await panel.setViewport(PANEL);
  await panel.waitForSelector(".row");
  return panel;
};

const takePanel = async (chrome: Chrome): Promise<readonly Taken[]> => {
  const panel = await openPanel(chrome);
  await panel.waitForSelector(".open-group");
  const list = await take(panel, "panel", PANEL);
  await ask(panel, "window", "norway");
  await until(
    () => chrome.inWorker<number>("chrome.windows.getAll().then(({ length }) => length)"),
    (windows) => windows === 2,
  );
  await panel.evaluate("close()").catch(() => {});
  const beside = await openPanel(chrome);
  await beside.click(".row .title[data-row=norway]");
  await beside.waitForSelector(".window-line");
  await beside.mouse.move(300, 20);
  return [...list, ...(await take(beside, "window", PANEL))];
};

const takeOptions = async (chrome: Chrome, directory: string): Promise<void> => {
  const options = await chrome.open("options.html");
  await options.setViewport(SCREEN);
  await options.waitForFunction(
    "document.body.innerText.includes('Everything is on the server.')",
    { polling: 50 },
  );
  for (const scheme of SCHEMES) {
    await options.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]);
    await options.screenshot({ path: join(directory, `options-${scheme}.png`) });
  }
};
