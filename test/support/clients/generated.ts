import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { DOCUMENT } from "../http/document.ts";
import { testDirectory } from "../server.ts";

const PACKAGES = join(import.meta.dir, "../../../node_modules");

/**
 * A project outside this repository, as a developer of a client has one, with the document in it.
 */
export const newProject = (document: unknown = DOCUMENT) => {
  const directory = testDirectory();
  symlinkSync(PACKAGES, join(directory, "node_modules"));
  mkdirSync(join(directory, "client"));
  const write = (name: string, text: string): string => {
    const path = join(directory, name);
    writeFileSync(path, text);
    return path;
  };
  return { directory, document: write("openapi.json", JSON.stringify(document)), write };
};

/** The compiler's complaints about a program and everything it imports, under `strict`. */
export const complaintsAbout = (program: string): readonly string[] => {
  const options: ts.CompilerOptions = {
    strict: true,
    noUncheckedIndexedAccess: true,
    noEmit: true,
    skipLibCheck: true,
    target: ts.ScriptTarget.ESNext,
    module: ts.ModuleKind.Preserve,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    allowImportingTsExtensions: true,
    lib: ["lib.esnext.d.ts", "lib.dom.d.ts", "lib.dom.iterable.d.ts"],
    types: [],
  };
  return ts
    .getPreEmitDiagnostics(ts.createProgram([program], options))
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n"));
};

/** The document with one lie: it says that the count of tabs is text. */
export const lyingDocument = (): unknown =>
  JSON.parse(
    JSON.stringify(DOCUMENT, (name, value: unknown) =>
      name === "tab_count" ? { type: "string" } : value,
    ),
  );
