import { beforeAll, describe, expect, test } from "bun:test";
import { cpSync, mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { buildFiles, packageFor, packageName } from "../../../src/extension/packages/build.ts";
import { manifestFor, TARGETS } from "../../../src/extension/packages/manifest.ts";
import { isOwnExtension } from "../../../src/domain/people/identity.ts";
import { run } from "../../support/program.ts";
import { testDirectory } from "../../support/server.ts";
import { type Entry, unzip } from "../../support/extension/unzip.ts";

const ROOT = join(import.meta.dir, "../../..");

const textOf = (entries: readonly Entry[], name: string): string =>
  Buffer.from(entries.find((entry) => entry.name === name)?.data ?? []).toString();

describe("The extension's packages", () => {
  let packages: ReadonlyMap<string, Uint8Array<ArrayBuffer>>;

  beforeAll(async () => {
    const files = await buildFiles();
    packages = new Map(TARGETS.map((target) => [target, packageFor(target, files)]));
  });

  test("are the same bytes when they are built from the same source in another folder", async () => {
    const copy = testDirectory();
    for (const path of ["src", "bun.lock", "package.json", "tsconfig.json"])
      cpSync(join(ROOT, path), join(copy, path), { recursive: true });
    symlinkSync(join(ROOT, "node_modules"), join(copy, "node_modules"));
    mkdirSync(join(copy, "dist"));
    const pack = ["src/extension/packages/pack.ts"];
    const { code, err } = await run([process.execPath], pack, { cwd: copy });
    expect([code, err]).toEqual([0, ""]);
    for (const target of TARGETS) {
      const built = await Bun.file(join(copy, "dist", packageName(target))).bytes();
      expect(Bun.SHA256.hash(built, "hex")).toBe(
        Bun.SHA256.hash(packages.get(target) ?? new Uint8Array(), "hex"),
      );
    }
  });

  for (const target of TARGETS) {
    const entries = () => unzip(packages.get(target) ?? new Uint8Array());

    test(`for ${target}: less than 175 kB`, () => {
      expect(packages.get(target)?.length).toBeLessThan(175_000);
    });

    test(`for ${target}: hold all that the manifest and the pages name`, () => {
      const names = entries().map(({ name }) => name);
      const manifest = JSON.stringify(manifestFor(target));
      const named = [...manifest.matchAll(/"([\w/]+\.(?:js|html|png))"/g)].map(([, name]) => name);
      expect(names).toEqual(expect.arrayContaining(named));
      for (const page of ["popup.html", "panel.html", "options.html"]) {
        const links = [...textOf(entries(), page).matchAll(/(?:href|src)="([^"]+)"/g)];
        expect(names).toEqual(expect.arrayContaining(links.map(([, name]) => name)));
      }
    });

    test(`for ${target}: no page has a script or style in it, or loads anything from elsewhere`, () => {
      for (const page of ["popup.html", "panel.html", "options.html"])
        expect(textOf(entries(), page)).not.toMatch(
          /<style|style=|\son\w+=|<script[^>]*>[^<]|https?:/,
        );
      for (const { name, data } of entries())
        if (name.endsWith(".css"))
          expect(Buffer.from(data).toString()).not.toMatch(/url\(|@import/);
    });

    test(`for ${target}: ask for no host and for few permissions at the installation`, () => {
      expect(JSON.parse(textOf(entries(), "manifest.json"))).toMatchObject({
        permissions: [
          "alarms",
          "contextMenus",
          ...(target === "chrome" ? ["favicon"] : []),
          "identity",
          ...(target === "chrome" ? ["sidePanel"] : []),
          "storage",
          "tabGroups",
          "tabs",
          "unlimitedStorage",
          "webRequest",
        ],
        optional_host_permissions: ["http://*/*", "https://*/*"],
      });
      const manifest = manifestFor(target);
      expect(manifest).not.toHaveProperty("host_permissions");
      expect(manifest).not.toHaveProperty("content_scripts");
      expect(manifest).not.toHaveProperty("externally_connectable");
      expect(manifest).not.toHaveProperty("web_accessible_resources");
    });
  }

  test("return from sign-in to addresses that the server takes for its own extension's", () => {
    const { key } = manifestFor("chrome") as { readonly key: string };
    const hash = Bun.SHA256.hash(Buffer.from(key, "base64"), "hex").slice(0, 32);
    const id = [...hash].map((digit) => String.fromCharCode(97 + Number.parseInt(digit, 16)));
    expect(isOwnExtension(`https://${id.join("")}.chromiumapp.org/`)).toBe(true);
    const { browser_specific_settings: settings } = manifestFor("firefox") as {
      readonly browser_specific_settings: { readonly gecko: { readonly id: string } };
    };
    const gecko = Bun.SHA1.hash(settings.gecko.id, "hex");
    expect(isOwnExtension(`https://${gecko}.extensions.allizom.org/`)).toBe(true);
    expect(isOwnExtension("https://abcdefghijklmnopabcdefghijklmnop.chromiumapp.org/")).toBe(false);
  });
});
