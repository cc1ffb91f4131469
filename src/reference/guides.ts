import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { lazy } from "../domain/base/lazy.ts";
import { unpackText } from "../domain/base/packing.ts";

/** Every guide, in the order of the list at `/docs/guides`. */
export const GUIDES = [
  {
    name: "agents",
    title: "Agents and API keys",
    about: "Give a script or an AI agent a key, keep it to some folders, and undo what it did.",
  },
  {
    name: "extension",
    title: "Browser extension",
    about: "Connect the extension to your server, or write one that signs in.",
  },
  {
    name: "moving",
    title: "Move in and out",
    about: "Import bookmarks, saved tabs and tasks of other tools, and take everything out again.",
  },
  {
    name: "operating",
    title: "Run a server",
    about: "Settings, proxies, backup and restore, upgrades, health checks, lost passwords.",
  },
  {
    name: "postgres",
    title: "Several servers on PostgreSQL",
    about: "Survive the loss of a machine: servers that stand by, on one PostgreSQL database.",
  },
  {
    name: "faults",
    title: "Faults and promises",
    about: "What Docket promises when a disk, a clock or a network fails, and how that is tested.",
  },
  {
    name: "sync",
    title: "Sync for authors",
    about: "Write a client that loses nobody's work, test it in a sandbox, and check a server.",
  },
  {
    name: "security",
    title: "Security",
    about:
      "What protects your data, and each requirement of a public standard: where it is met, and where not.",
  },
  {
    name: "performance",
    title: "Performance",
    about: "What was measured, on which build and machine, and where goals were missed.",
  },
  {
    name: "decisions",
    title: "Decisions",
    about: "Why Docket behaves as it does where its specification leaves a choice.",
  },
  {
    name: "changelog",
    title: "Changes",
    about: "What each version brought, and what to know before you upgrade.",
  },
  {
    name: "glossary",
    title: "Glossary",
    about: "The words that the code and the guides use, each with one meaning.",
  },
] as const;

export type GuideName = (typeof GUIDES)[number]["name"];

/** A guide, as Markdown and as HTML. */
export type Guide = {
  readonly markdown: string;
  readonly html: string;
  /** Its second-level headings: the anchor, and the text as HTML. */
  readonly sections: readonly { readonly id: string; readonly html: string }[];
};

export type Guides = Readonly<Record<GuideName, Guide>>;

/** Where the compiled binary keeps the packed guides, relative to the code. */
export const GUIDES_PACKED = "packed/guides.json.br";

/** Returns all guides: unpacked in the compiled binary, rendered from their files when run from source. */
export const readGuides = lazy(async (): Promise<Guides> => {
  const packed = join(import.meta.dir, GUIDES_PACKED);
  if (existsSync(packed)) {
    return JSON.parse(unpackText(readFileSync(packed))) as Guides;
  }
  // Never reached in the compiled binary, which contains no Markdown parser.
  const { renderGuides } = await import("./markdown.ts");
  return renderGuides();
});
