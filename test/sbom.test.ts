import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv } from "ajv";
import { fullFormats } from "ajv-formats/dist/formats.js";
import { shippedPackages } from "../src/licenses/packages.ts";
import { sbomOf } from "../src/licenses/sbom.ts";

/** CycloneDX's own schemas, as its library for JavaScript carries them. */
const SCHEMAS = join(import.meta.dir, "../node_modules/@cyclonedx/cyclonedx-library/res/schema");
const schemaOf = (name: string): object =>
  JSON.parse(readFileSync(join(SCHEMAS, `${name}.SNAPSHOT.schema.json`), "utf8")) as object;

const checker = () => {
  const ajv = new Ajv({ strict: false, allErrors: true, formats: fullFormats });
  // Formats for text that is not ASCII, which the package above lacks. Ours is ASCII, where they are the same.
  ajv.addFormat("iri-reference", /^[\x21-\x7e]*$/);
  ajv.addFormat("idn-email", /^[\x21-\x7e]+@[\x21-\x7e]+$/);
  for (const name of ["spdx", "jsf-0.82"])
    ajv.addSchema(schemaOf(name), `http://cyclonedx.org/schema/${name}.SNAPSHOT.schema.json`);
  return ajv.compile(schemaOf("bom-1.6"));
};

const isValid = checker();
const problemsIn = (bom: unknown) => (isValid(bom) ? [] : isValid.errors);

test("The bill of materials is valid by CycloneDX's own schema", () => {
  expect(problemsIn(JSON.parse(sbomOf(shippedPackages())))).toEqual([]);
});

test.each([
  ["a licence without a name", { licenses: [{ license: { id: "My own" } }] }],
  ["a digest of another length", { hashes: [{ alg: "SHA-512", content: "abc" }] }],
  ["an unknown field", { colour: "blue" }],
  ["no name", { name: undefined }],
])("The schema finds %s", (_what, change) => {
  const bom = JSON.parse(sbomOf(shippedPackages()));
  Object.assign(bom.components[1], change);
  expect(problemsIn(JSON.parse(JSON.stringify(bom)))).not.toEqual([]);
});
