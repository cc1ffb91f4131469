import { readFileSync } from "node:fs";
import { join } from "node:path";
import { FOLDER } from "../assets.ts";
import { openPage, ownPage, type Page } from "../shared/page.ts";
import type { PageReply } from "../shared/reply.tsx";
import { manifest, readAppFiles } from "./files.ts";
import { APP_HEADERS, FILE_HEADERS, IMMUTABLE, postAppSession } from "./shell.ts";

/** The web app. All its addresses lead to one page, and the script shows what the address names. */
export const appPages = async (): Promise<readonly Page[]> => {
  const { kept, shell, worker } = await readAppFiles();
  const showApp = () => reply(shell, APP_HEADERS);
  return [
    ownPage("GET", "/tasks", showApp),
    ownPage("GET", "/tasks/:id", showApp),
    ownPage("GET", "/tasks/folder/:id", showApp),
    openPage("GET", "/tasks/shell", showApp),
    openPage("POST", "/tasks/session", postAppSession, "json"),
    openPage("GET", "/tasks/worker.js", () =>
      reply(worker, {
        ...FILE_HEADERS,
        "content-type": "text/javascript;charset=utf-8",
        // The worker's own address is deeper than the pages that it serves.
        "service-worker-allowed": "/tasks",
        "content-security-policy": "default-src 'none'; connect-src 'self'",
      }),
    ),
    openPage("GET", "/tasks/manifest.webmanifest", () =>
      reply(JSON.stringify(manifest()), {
        ...FILE_HEADERS,
        "content-type": "application/manifest+json",
      }),
    ),
    ...kept.map(({ path, body, packed, type }) =>
      openPage("GET", path, ({ request }) => {
        const headers = {
          ...FILE_HEADERS,
          ...IMMUTABLE,
          "content-type": type,
          vary: "accept-encoding",
        };
        return /\bgzip\b/.test(request.headers.get("accept-encoding") ?? "")
          ? reply(packed, { ...headers, "content-encoding": "gzip" })
          : reply(body, headers);
      }),
    ),
    ...ICONS.map((name) =>
      openPage("GET", `/tasks/${name}`, () =>
        reply(readIcon(name), { ...FILE_HEADERS, "content-type": "image/png" }),
      ),
    ),
  ];
};

const ICONS = ["icon-180.png", "icon-192.png", "icon-512.png", "icon-maskable.png"] as const;

const readIcon = (name: string): Uint8Array<ArrayBuffer> =>
  new Uint8Array(readFileSync(join(FOLDER, name)));

const reply = (body: NonNullable<PageReply["body"]>, headers: PageReply["headers"]): PageReply => ({
  status: 200,
  body,
  headers,
  cookies: [],
});
