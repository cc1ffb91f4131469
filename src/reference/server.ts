import { finish } from "../server/respond.ts";
import { originOf } from "../server/checks/request.ts";
import { type Context, type EntryPoint, mount, newEntryPoint } from "../server/elysia.ts";
import type { Service } from "../server/service.ts";
import { assetPages } from "./assets.ts";
import { writeGuide } from "./guide.ts";
import { guidePages } from "./guidepages.ts";
import { type StaticPage, staticPage } from "./static-page.ts";
import { readPage } from "./page.ts";

const TEXTS: readonly StaticPage[] = [
  staticPage("/docs", readPage),
  staticPage("/llms.txt", writeGuide),
];

/**
 * The entry point for readers: the API reference, the guides, and an introduction for agents. It neither reads nor
 * sets credentials or cookies.
 */
export const serveReference = (service: Service): EntryPoint => {
  const pages = [...TEXTS, ...guidePages(), ...assetPages()];
  const app = newEntryPoint(service);
  for (const each of pages) mount(app, each, async (context) => answer(service, each, context));
  return { endpoints: pages, app };
};

const answer = async (service: Service, { read }: StaticPage, { call, request }: Context) => {
  const { settings } = service;
  const origin = originOf(request, call.peer(), settings).href;
  return finish(service, call, 200, await read({ origin, limits: settings.limits }));
};
