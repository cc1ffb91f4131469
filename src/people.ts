import type { Entrance } from "./server/elysia.ts";
import type { Service } from "./server/service.ts";
import { serveReference } from "./reference/server.ts";
import { PAGES } from "./web/pages.ts";
import { servePages } from "./web/server.tsx";
import { startWeb } from "./web/shared/service.ts";

/** The entrances for people: the account area, and the pages that tell how this server is asked. */
export const servePeople = (service: Service): readonly Entrance[] => [
  serveReference(service),
  servePages(startWeb(service), PAGES),
];
