import { VERSION } from "../domain/base/release.ts";
import { LIBRARIES, type Library, versionOf } from "./libraries.ts";
import type { Package } from "./packages.ts";

/**
 * Returns what is in the executable as a software bill of materials (CycloneDX 1.6), as JSON text. It has no time and
 * no random number: the same source gives the same text.
 */
export const sbomOf = (packages: readonly Package[]): string => {
  const bun = `pkg:github/oven-sh/bun@bun-v${Bun.version}`;
  return JSON.stringify(
    {
      $schema: "http://cyclonedx.org/schema/bom-1.6.schema.json",
      bomFormat: "CycloneDX",
      specVersion: "1.6",
      version: 1,
      metadata: {
        component: {
          type: "application",
          "bom-ref": "docket",
          name: "docket",
          version: VERSION,
          licenses: [{ license: { id: "MIT" } }],
        },
      },
      components: [
        {
          type: "platform",
          "bom-ref": bun,
          name: "bun",
          version: Bun.version,
          purl: bun,
          licenses: [{ license: { id: "MIT" } }],
          components: LIBRARIES.map(linkedComponent),
        },
        ...packages.map(componentOf),
      ],
      dependencies: [
        { ref: "docket", dependsOn: [bun, ...packages.map(purlOf)] },
        ...packages.map((one) => ({
          ref: purlOf(one),
          dependsOn: one.needs.map(purlOfResolved),
        })),
      ],
    },
    null,
    2,
  );
};

/** A library that Bun links: there is no package of it, so that only its name and version tell what it is. */
const linkedComponent = (one: Library) => {
  const version = versionOf(one);
  return {
    type: "library",
    "bom-ref": `bun/${one.name}`,
    name: one.name,
    ...(version === undefined ? {} : { version }),
    licenses: [{ expression: one.license }],
  };
};

const componentOf = (one: Package) => ({
  type: "library",
  "bom-ref": purlOf(one),
  name: one.name,
  version: one.version,
  purl: purlOf(one),
  licenses: [{ expression: one.license }],
  hashes: [
    {
      alg: "SHA-512",
      content: Buffer.from(one.integrity.replace(/^sha512-/, ""), "base64").toString("hex"),
    },
  ],
});

/** A package's name for tools of every language (purl). */
const purlOf = ({ name, version }: Pick<Package, "name" | "version">): string =>
  `pkg:npm/${name.replace(/^@/, "%40")}@${version}`;

const purlOfResolved = (resolved: string): string => {
  const at = resolved.lastIndexOf("@");
  return purlOf({ name: resolved.slice(0, at), version: resolved.slice(at + 1) });
};
