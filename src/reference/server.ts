import { type Answered, finish } from "../server/finish.ts";
import { originOf } from "../server/origin.ts";
import { type Context, mount } from "../server/elysia.ts";
import { type Entrance, newEntrance } from "../server/entrances.ts";
import type { Service } from "../server/service.ts";
import { assetLeaves } from "./assets.ts";
import { writeGuide } from "./guide.ts";
import { type Leaf, leaf } from "./leaf.ts";
import { readPage } from "./page.ts";

const TEXTS: readonly Leaf[] = [leaf("/docs", readPage), leaf("/llms.txt", writeGuide)];

/**
 * The entrance for whoever wants to know how this server is asked: a page to read and try, and a text
 * for agents. No credential and no cookie is read or set here.
 */
export const serveReference = (service: Service): Entrance => {
  const leaves = [...TEXTS, ...assetLeaves()];
  const app = newEntrance(service);
  for (const each of leaves) mount(app, each, (context) => answer(service, each, context));
  return { endpoints: leaves, app };
};

const answer = (service: Service, { read }: Leaf, { call, request }: Context): Answered => {
  const { settings } = service;
  const origin = originOf(request, call.peer(), settings).href;
  return finish(service, call, 200, read({ origin, limits: settings.limits }));
};
