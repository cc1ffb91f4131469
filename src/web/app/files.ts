import { lazy } from "../../domain/base/lazy.ts";
import { PHRASES, phrasesAt } from "../../ui/bundle.ts";
import { assetPath, hashedPath } from "../assets.ts";
import { shellPage } from "./shell.ts";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { unpackText } from "../../domain/base/packing.ts";

/** A file of the web app that a browser may keep for ever: its path has a hash of its content. */
type AppFile = {
  readonly path: string;
  readonly body: string;
  /** The body, gzipped. */
  readonly packed: Uint8Array<ArrayBuffer>;
  readonly type: string;
};

/** Everything that makes up the web app. */
type AppFiles = {
  readonly kept: readonly AppFile[];
  readonly shell: string;
  readonly worker: string;
};

export const readAppFiles = lazy(async (): Promise<AppFiles> => {
  const { script, later, early, styles, worker } = await readBundle();
  const days = file("days.js", SCRIPT, later);
  const app = file("tasks.js", SCRIPT, script.replace(LATER, days.path));
  const first = file("early.js", SCRIPT, early);
  const look = file("tasks.css", "text/css;charset=utf-8", styles);
  const shell = shellPage({ script: app.path, early: first.path, styles: look.path });
  const paths = [app.path, days.path, first.path, look.path, assetPath("icon.svg")];
  const version = new Bun.CryptoHasher("sha256").update(shell).digest("hex").slice(0, 12);
  return {
    kept: [app, days, first, look],
    shell,
    worker: `self.SHELL=${JSON.stringify({ version, paths })};${worker}`,
  };
});

const SCRIPT = "text/javascript;charset=utf-8";

const file = (name: string, type: string, body: string): AppFile => ({
  path: hashedPath(name, body),
  body,
  packed: Bun.gzipSync(body, { level: 9 }),
  type,
});

/** The web app's files as the browser gets them. */
export type Bundle = {
  readonly script: string;
  /** What it loads when somebody is about to type a day. */
  readonly later: string;
  /** The small script that runs before it. */
  readonly early: string;
  readonly styles: string;
  /** The service worker, before it knows the names of the other files. */
  readonly worker: string;
};

/** Where the compiled binary keeps the packed bundle, relative to the code. */
export const PACKED_APP = "packed/app.json.br";

const SOURCES = join(import.meta.dir, "../../app");

/** Returns the bundle: the packed one in the compiled binary; from source, one made on first use. */
const readBundle = lazy(async (): Promise<Bundle> => {
  const packed = join(import.meta.dir, PACKED_APP);
  return existsSync(packed)
    ? (JSON.parse(unpackText(readFileSync(packed))) as Bundle)
    : buildBundle();
});

export const buildBundle = async (): Promise<Bundle> => {
  const [script, later, early, styles, worker] = await Promise.all([
    bundle(join(SOURCES, "main.tsx")),
    bundle(PHRASES),
    bundle(join(SOURCES, "early.ts")),
    bundle(join(SOURCES, "app.css")),
    bundle(join(SOURCES, "worker.ts")),
  ]);
  return { script, later, early, styles, worker };
};

/** Stands in the app's script where the address of the script goes that it loads later. */
const LATER = "docket-later";

const bundle = async (source: string): Promise<string> => {
  const { outputs } = await Bun.build({
    entrypoints: [source],
    target: "browser",
    format: "esm",
    minify: true,
    define: { "process.env.NODE_ENV": '"production"' },
    plugins: [phrasesAt(LATER)],
  });
  return outputs[0]?.text() ?? "";
};

/** `GET /tasks/manifest.webmanifest`: how the web app looks and what it offers once it is installed. */
export const manifest = () => ({
  id: "/tasks",
  name: "Docket",
  short_name: "Docket",
  description: "Your tasks, and the tabs and notes that belong to them.",
  start_url: "/tasks",
  scope: "/tasks",
  display: "standalone",
  background_color: "#f6f6f4",
  theme_color: "#f6f6f4",
  categories: ["productivity"],
  icons: [
    { src: assetPath("icon.svg"), type: "image/svg+xml", sizes: "any", purpose: "any" },
    { src: "/tasks/icon-192.png", type: "image/png", sizes: "192x192", purpose: "any" },
    { src: "/tasks/icon-512.png", type: "image/png", sizes: "512x512", purpose: "any" },
    {
      src: "/tasks/icon-maskable.png",
      type: "image/png",
      sizes: "512x512",
      purpose: "maskable",
    },
  ],
  shortcuts: [
    { name: "New task", url: "/tasks/today?new" },
    { name: "Inbox", url: "/tasks/inbox" },
    { name: "Search", url: "/tasks/search" },
  ],
  share_target: {
    action: "/tasks/share",
    method: "GET",
    params: { title: "title", text: "text", url: "url" },
  },
});
