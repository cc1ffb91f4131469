import { type Answered, finish } from "../server/finish.ts";
import { originOf } from "../server/origin.ts";
import { type Context, mount } from "../server/elysia.ts";
import { type Entrance, newEntrance } from "../server/entrances.ts";
import type { Service } from "../server/service.ts";
import { assetPages } from "./assets.ts";
import { writeGuide } from "./guide.ts";
import { type StaticPage, staticPage } from "./static-page.ts";
import { readPage } from "./page.ts";

const TEXTS: readonly StaticPage[] = [
  staticPage("/docs", readPage),
  staticPage("/llms.txt", writeGuide),
];

/**
 * The entrance for whoever wants to know how this server is asked: a page to read and try, and a text
 * for agents. No credential and no cookie is read or set here.
 */
export const serveReference = (service: Service): Entrance => {
  const pages = [...TEXTS, ...assetPages()];
  const app = newEntrance(service);
  for (const each of pages) mount(app, each, (context) => answer(service, each, context));
  return { endpoints: pages, app };
};

const answer = (service: Service, { read }: StaticPage, { call, request }: Context): Answered => {
  const { settings } = service;
  const origin = originOf(request, call.peer(), settings).href;
  return finish(service, call, 200, read({ origin, limits: settings.limits }));
};
