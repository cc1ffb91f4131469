import { plugin } from "bun";
import { relative, resolve } from "node:path";
import ts from "typescript";

// Loaded before the program (`bun --preload`): every function of `src` reports when it is entered, to
// `globalThis.entered`, which `measure.ts` sets up.

const SOURCE = resolve(import.meta.dir, "../../src");

type Edit = readonly [at: number, text: string];

/** A name that no source uses, one for each level of functions within functions. */
const markOf = (level: number): string => `__entered${level}`;

/**
 * Adds a report to the start of each function. A function hands its own mark to those that are written inside it. What
 * it returns goes through `same`, since JavaScriptCore gives up the frame of a function that ends in a call, and another
 * would be taken for the caller.
 */
const instrument = (file: string, text: string): string => {
  const kind = file.endsWith("x") ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true, kind);
  const name = relative(SOURCE, file);
  const edits: Edit[] = [];
  const wrap = (node: ts.Node, before: string, after: string): void =>
    void edits.push([node.getStart(source), before], [node.getEnd(), after]);
  const visit = (node: ts.Node, level: number): void => {
    if (ts.isReturnStatement(node) && node.expression)
      wrap(node.expression, "globalThis.same((", "))");
    if (!ts.isFunctionLike(node) || !("body" in node) || !node.body)
      return ts.forEachChild(node, (child) => visit(child, level));
    const body = node.body as ts.Node;
    const outer = level === 0 ? "null" : markOf(level - 1);
    const label = JSON.stringify([name, nameOf(node)]);
    const report = `const ${markOf(level)} = globalThis.entered(...${label}, ${outer});`;
    if (ts.isBlock(body)) edits.push([body.getStart(source) + 1, report]);
    else wrap(body, `{ ${report} return globalThis.same((`, ")); }");
    // Defaults of parameters run before the mark is there.
    ts.forEachChild(node, (child) => visit(child, child === body ? level + 1 : level));
  };
  visit(source, 0);
  // Of two at one place, the one that was found first is the outer one.
  return edits
    .map((edit, order) => ({ edit, order }))
    .toSorted((one, other) => other.edit[0] - one.edit[0] || closing(one) - closing(other))
    .reduce((done, { edit: [at, added] }) => done.slice(0, at) + added + done.slice(at), text);
};

/** Texts that are put in at one place come out in the opposite order: what opens last, what closes first. */
const closing = ({ edit: [, added], order }: { edit: Edit; order: number }): number =>
  added.startsWith(")") ? order : -order;

const nameOf = (node: ts.SignatureDeclaration): string => {
  if (node.name) return node.name.getText();
  const { parent } = node;
  return ts.isVariableDeclaration(parent) || ts.isPropertyAssignment(parent)
    ? parent.name.getText()
    : "";
};

plugin({
  name: "report entered functions",
  setup(build) {
    build.onLoad({ filter: /\/src\/.*\.tsx?$/ }, async ({ path }) => {
      const text = await Bun.file(path).text();
      const contents = path.startsWith(SOURCE) ? instrument(path, text) : text;
      return { contents, loader: path.endsWith("x") ? "tsx" : "ts" };
    });
  },
});
