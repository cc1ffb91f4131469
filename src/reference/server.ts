import { finish } from "../server/finish.ts";
import { originOf } from "../server/origin.ts";
import { type Context, mount } from "../server/elysia.ts";
import { type Entrance, newEntrance } from "../server/entrances.ts";
import type { Service } from "../server/service.ts";
import { assetLeaves } from "./assets.ts";
import { writeGuide } from "./guide.ts";
import { guideLeaves } from "./guidepages.ts";
import { type Leaf, leaf } from "./leaf.ts";
import { readPage } from "./page.ts";

const TEXTS: readonly Leaf[] = [leaf("/docs", readPage), leaf("/llms.txt", writeGuide)];

/**
 * The entrance for readers: the API reference, the guides, and a text for agents. It reads and sets no
 * credential and no cookie.
 */
export const serveReference = (service: Service): Entrance => {
  const leaves = [...TEXTS, ...guideLeaves(), ...assetLeaves()];
  const app = newEntrance(service);
  for (const each of leaves) mount(app, each, async (context) => answer(service, each, context));
  return { endpoints: leaves, app };
};

const answer = async (service: Service, { read }: Leaf, { call, request }: Context) => {
  const { settings } = service;
  const origin = originOf(request, call.peer(), settings).href;
  return finish(service, call, 200, await read({ origin, limits: settings.limits }));
};
