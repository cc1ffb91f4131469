import { expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { LIBRARIES, versionOf } from "../src/licenses/libraries.ts";
import { extensionNotices, noticesOf } from "../src/licenses/notices.ts";
import { shippedPackages } from "../src/licenses/packages.ts";
import { sbomOf } from "../src/licenses/sbom.ts";
import { DOCKET } from "./support/docket.ts";
import { run } from "./support/program.ts";

const SRC = join(import.meta.dir, "../src");
const packages = shippedPackages();

/** The packages whose files a bundle of ours is made from. */
const bundled = async (entrypoints: readonly string[], target: "browser" | "bun") => {
  const { metafile } = await Bun.build({
    entrypoints: entrypoints.map((entry) => join(SRC, entry)),
    target,
    external: ["file-type", "marked"],
    metafile: true,
  });
  const names = Object.keys(metafile?.inputs ?? {}).flatMap(
    (path) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? [],
  );
  return new Set(names);
};

test.each([
  ["executable", ["main.ts"], "bun"],
  ["web app", ["app/main.tsx", "app/worker.ts"], "browser"],
  [
    "extension",
    ["background/background.ts", "popup/popup.tsx", "panel/panel.tsx", "options/options.tsx"].map(
      (file) => `extension/${file}`,
    ),
    "browser",
  ],
] as const)("Every package that the %s is made from is listed", async (what, entries, target) => {
  const listed = new Set(packages.map(({ name }) => name));
  const used = await bundled(entries, target);
  expect(used.size).toBeGreaterThan(1);
  expect([...used.difference(listed)]).toEqual([]);
  if (what !== "extension") return;
  // Its icons are read by a macro, of which the bundler does not tell.
  used.add("lucide-static");
  const own = extensionNotices();
  for (const one of packages)
    expect([one.name, own.includes(`=\n${one.name} `)]).toEqual([one.name, used.has(one.name)]);
});

test("Every package names its licence, and the notices hold its text", () => {
  const notices = noticesOf(packages);
  for (const { name, version, license, texts } of packages) {
    expect([name, license]).toEqual([name, expect.stringMatching(/^[A-Za-z0-9(][\w.() -]+$/)]);
    expect(notices).toContain(`${name} ${version} (${license})`);
    for (const text of texts) expect(notices).toContain(text);
  }
});

test("Every library that Bun says it links is named, with its version and its licence's text", () => {
  const notices = noticesOf(packages);
  // These are no libraries: versions of interfaces, and what is not linked here.
  const others = ["bun", "llhttp", "modules", "napi", "node", "openssl", "typescript", "unicode"];
  const keys = Object.keys(process.versions).filter(
    (key) => ![...others, "uv", "v8", "zig"].includes(key),
  );
  const known = LIBRARIES.flatMap(({ key }) => key ?? []);
  expect(known.toSorted()).toEqual(keys.toSorted());
  for (const one of LIBRARIES)
    expect(notices).toContain(`  ${[one.name, versionOf(one)].filter(Boolean).join(" ")} (`);
  for (const text of ["GNU LIBRARY GENERAL PUBLIC LICENSE", "GNU LESSER GENERAL PUBLIC LICENSE"])
    expect(notices).toContain(text);
  const files = readdirSync(join(SRC, "licenses/bun")).map((file) => file.replace(".txt", ""));
  expect(files.toSorted()).toEqual(
    [...new Set(LIBRARIES.flatMap(({ texts }) => texts))].toSorted(),
  );
});

test("A package that leaves its licence's text out has the text of another one beside it", () => {
  const notices = noticesOf(packages);
  const without = packages.filter(({ texts }) => texts.length === 0);
  expect(without.map(({ name }) => name)).toEqual([
    "@lit-labs/ssr-dom-shim",
    "drizzle-orm",
    "pg-types",
    "pgpass",
  ]);
  for (const { name, version, license } of without)
    expect(notices).toContain(
      `${name} ${version} (${license})\n\nThe package has no licence file. This is ${license} as in `,
    );
});

test("The bill of materials names each package once, with its digest, and only what it lists", () => {
  const { components, dependencies, ...head } = JSON.parse(sbomOf(packages));
  expect(head).toMatchObject({ bomFormat: "CycloneDX", specVersion: "1.6", version: 1 });
  const refs: string[] = components.map((one: { "bom-ref": string }) => one["bom-ref"]);
  expect(new Set(refs).size).toBe(refs.length);
  expect(refs).toContain("pkg:npm/%40preact/signals@2.11.4");
  expect(components).toHaveLength(packages.length + 1);
  for (const { type, hashes } of components)
    if (type === "library") expect(hashes[0].content).toMatch(/^[0-9a-f]{128}$/);
  const named = new Set(["docket", ...refs]);
  for (const { ref, dependsOn } of dependencies)
    for (const one of [ref, ...dependsOn]) expect(named).toContain(one);
});

test("The command prints the notices", async () => {
  const { code, out } = await run(DOCKET, ["licenses"]);
  expect([code, out.trim()]).toEqual([0, noticesOf(packages).trim()]);
});
