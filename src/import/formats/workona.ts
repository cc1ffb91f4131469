import { isObject, listField } from "../../domain/base/payload.ts";
import type { Parser } from "../model.ts";
import { textOf } from "../text.ts";

/** Reads Workona's export: each workspace is a task. */
export const readWorkona: Parser = ({ json }) => {
  if (!isObject(json)) return null;
  const workspaces = [...listField(json, "Workspaces"), ...listField(json, "workspaces")];
  const known = workspaces.filter(isObject);
  if (!known.some(({ tabs }) => Array.isArray(tabs))) return null;
  return {
    format: "workona",
    tool: "Workona",
    entries: known.map((workspace) => ({
      folder: null,
      title: textOf(workspace["title"] ?? workspace["name"]),
      links: listField(workspace, "tabs")
        .filter(isObject)
        .map(({ url, title }) => ({ address: url, title })),
    })),
    skipped: [],
  };
};
