/** The service worker: answers with the kept page and its files, so that the app opens without a network. */

/** Written in front of this script by the server: the version of the app, and the files that it consists of. */
declare const SHELL: { readonly version: string; readonly paths: readonly string[] };

type Extendable = Event & { readonly waitUntil: (work: Promise<unknown>) => void };
type Fetched = Extendable & {
  readonly request: Request;
  readonly respondWith: (reply: Promise<Response>) => void;
};
type Worker = {
  readonly skipWaiting: () => Promise<void>;
  readonly clients: { readonly claim: () => Promise<void> };
  readonly addEventListener: (
    name: "activate" | "fetch" | "install",
    on: (event: Fetched) => void,
  ) => void;
};

const worker = globalThis as unknown as Worker;
const PAGE = "/tasks/shell";
const KEPT = `docket-${SHELL.version}`;

worker.addEventListener("install", (event) => event.waitUntil(keep()));
worker.addEventListener("activate", (event) => event.waitUntil(dropOlder()));
worker.addEventListener("fetch", (event) => {
  const { pathname, origin } = new URL(event.request.url);
  if (event.request.method !== "GET" || origin !== location.origin) return;
  if (event.request.mode === "navigate") {
    if (/^\/tasks(\/|$)/.test(pathname)) event.respondWith(kept(PAGE));
  } else if (SHELL.paths.includes(pathname)) event.respondWith(kept(pathname));
});

const keep = async (): Promise<void> => {
  const cache = await caches.open(KEPT);
  await cache.addAll([PAGE, ...SHELL.paths]);
  await worker.skipWaiting();
};

const dropOlder = async (): Promise<void> => {
  const names = await caches.keys();
  const older = names.filter((name) => name.startsWith("docket-") && name !== KEPT);
  await Promise.all(older.map((name) => caches.delete(name)));
  await worker.clients.claim();
};

const kept = async (path: string): Promise<Response> =>
  (await (await caches.open(KEPT)).match(path)) ?? fetch(path);
