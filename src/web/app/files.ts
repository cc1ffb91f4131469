import { lazy } from "../../domain/base/lazy.ts";
import { assetPath, hashedPath } from "../assets.ts";
import { readBundle } from "./bundle.ts";
import { shellPage } from "./shell.ts";

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
  const { script, early, styles, worker } = await readBundle();
  const app = file("tasks.js", "text/javascript;charset=utf-8", script);
  const first = file("early.js", "text/javascript;charset=utf-8", early);
  const look = file("tasks.css", "text/css;charset=utf-8", styles);
  const shell = shellPage({ script: app.path, early: first.path, styles: look.path });
  const paths = [app.path, first.path, look.path, assetPath("icon.svg")];
  const version = new Bun.CryptoHasher("sha256").update(shell).digest("hex").slice(0, 12);
  return {
    kept: [app, first, look],
    shell,
    worker: `self.SHELL=${JSON.stringify({ version, paths })};${worker}`,
  };
});

const file = (name: string, type: string, body: string): AppFile => ({
  path: hashedPath(name, body),
  body,
  packed: Bun.gzipSync(body, { level: 9 }),
  type,
});
