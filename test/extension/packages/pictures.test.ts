import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { inBrowser } from "../../support/browser/browser.ts";
import { testDirectory } from "../../support/server.ts";
import { writePictures } from "../../support/extension/pictures.ts";

inBrowser("The pictures for the stores", () => {
  const [directory, data] = [testDirectory(), testDirectory()];

  test("are there in each size that a store asks for", async () => {
    await writePictures({ directory, data });
    const sizes = readdirSync(directory).map((name) => {
      const picture = readFileSync(join(directory, name));
      return [name, `${picture.readUInt32BE(16)}x${picture.readUInt32BE(20)}`];
    });
    const screens = ["open", "options", "panel", "save", "window"].flatMap((name) =>
      ["dark", "light"].map((scheme) => [`${name}-${scheme}.png`, "1280x800"]),
    );
    expect(Object.fromEntries(sizes)).toEqual({
      "icon-16.png": "16x16",
      "icon-32.png": "32x32",
      "icon-48.png": "48x48",
      "icon-64.png": "64x64",
      "icon-128.png": "128x128",
      "icon-128-chrome-store.png": "128x128",
      "icon-300.png": "300x300",
      "tile-440.png": "440x280",
      "tile-1400.png": "1400x560",
      ...Object.fromEntries(screens),
    });
  });
});
