import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { buildFiles, packageFor } from "../../../src/extension/packages/build.ts";
import { manifestFor, TARGETS } from "../../../src/extension/packages/manifest.ts";
import { run } from "../../support/program.ts";
import { testDirectory } from "../../support/server.ts";

const ROOT = join(import.meta.dir, "../../..");
const GUIDE = join(ROOT, "src/reference/guides/extension.md");

type Manifest = {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly permissions: readonly string[];
  readonly icons: Readonly<Record<string, string>>;
  readonly commands: Readonly<Record<string, { readonly suggested_key?: unknown }>>;
  readonly background: Readonly<Record<string, unknown>>;
  readonly browser_specific_settings?: { readonly gecko: Readonly<Record<string, unknown>> };
  readonly [field: string]: unknown;
};

const manifest = (target: (typeof TARGETS)[number]): Manifest => manifestFor(target) as Manifest;

test("Mozilla's linter finds no error, warning or notice in the package for Firefox", async () => {
  const archive = join(testDirectory(), "firefox.zip");
  await Bun.write(archive, packageFor("firefox", await buildFiles()));
  const linter = new URL("../bin/addons-linter", import.meta.resolve("addons-linter"));
  const { out } = await run([process.execPath, linter.pathname], ["--output", "json", archive]);
  const { errors, warnings, notices, metadata } = JSON.parse(out) as Record<string, unknown>;
  expect({ errors, warnings, notices }).toEqual({ errors: [], warnings: [], notices: [] });
  expect(metadata).toMatchObject({ name: "Docket", manifestVersion: 3 });
});

describe("The manifests keep the stores' rules:", () => {
  for (const target of TARGETS) {
    test(`${target}: name, summary, version and icons`, () => {
      const { name, description, version, icons } = manifest(target);
      // developer.chrome.com/docs/extensions/reference/manifest: up to 75 and 132 characters.
      expect(name.length).toBeLessThanOrEqual(75);
      expect(description.length).toBeLessThanOrEqual(132);
      // One to four numbers up to 65535, none with a leading zero.
      expect(version).toMatch(/^(0|[1-9]\d{0,4})(\.(0|[1-9]\d{0,4})){0,3}$/);
      expect(Object.keys(icons)).toEqual(expect.arrayContaining(["16", "48", "128"]));
    });

    test(`${target}: Manifest V3, without code from elsewhere, and no more suggested keys than allowed`, () => {
      const { manifest_version, content_security_policy, commands } = manifest(target);
      expect(manifest_version).toBe(3);
      const policy = JSON.stringify(content_security_policy);
      expect(policy).toContain("script-src 'self';");
      expect(policy).not.toMatch(/unsafe|wasm|script-src[^;]*http/);
      const suggested = Object.values(commands).filter((one) => one.suggested_key !== undefined);
      // Chrome refuses more. Firefox has no such rule.
      if (target === "chrome") expect(suggested.length).toBeLessThanOrEqual(4);
    });

    test(`${target}: the guide gives a reason for each permission`, async () => {
      const guide = await Bun.file(GUIDE).text();
      const rows = [...guide.matchAll(/^\| `([\w.]+)` +\| (.+?) +\|$/gm)];
      const named = rows.map(([, name]) => name).filter((name) => name !== undefined);
      expect(named).toEqual(expect.arrayContaining([...manifest(target).permissions]));
      for (const [, , reason = ""] of rows) expect(reason.length).toBeGreaterThan(20);
    });
  }

  test("the texts for the stores name each permission, and repeat the manifest's name and summary", async () => {
    const text = await Bun.file(join(ROOT, "src/extension/packages/store.md")).text();
    const part = (title: string): string =>
      (text.split(`\n## ${title}\n`)[1] ?? "").split("\n## ")[0]?.trim() ?? "";
    for (const target of TARGETS) {
      const { name, description, permissions } = manifest(target);
      expect([part("Name"), part("Summary")]).toEqual([name, description]);
      for (const permission of permissions)
        expect(part("Why it asks for each permission")).toContain(`- \`${permission}\`: `);
    }
    // Chrome takes up to 16,000 characters.
    expect(part("Description").length).toBeWithin(200, 16_000);
    expect(part("Data").length).toBeGreaterThan(100);
  });

  test("each has its own kind of background, and only its own fields", () => {
    const [chrome, firefox] = [manifest("chrome"), manifest("firefox")];
    expect(Object.keys(chrome.background).toSorted()).toEqual(["service_worker", "type"]);
    expect(Object.keys(firefox.background).toSorted()).toEqual(["scripts", "type"]);
    expect(chrome).not.toHaveProperty("browser_specific_settings");
    for (const field of ["key", "minimum_chrome_version"])
      expect(firefox).not.toHaveProperty(field);
  });

  test("Firefox: an id like an address, and what data leaves the browser", () => {
    const { gecko } = manifest("firefox").browser_specific_settings ?? { gecko: {} };
    expect(gecko["id"]).toMatch(/^[\w.-]+@[\w.-]+$/);
    // extensionworkshop.com/documentation/develop/firefox-builtin-data-consent
    expect(gecko["data_collection_permissions"]).toEqual({
      required: ["none"],
      optional: ["browsingActivity"],
    });
  });
});
