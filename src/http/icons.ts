import { readIcons, saveIcons } from "../db/people/icons.ts";
import { invalid } from "../domain/base/refusal.ts";
import { MAX_ICONS_ASKED, parseIcon } from "../domain/tasks/icon.ts";
import { json, type Reply } from "../server/call.ts";
import { identifyAgain } from "../server/checks/admission.ts";
import { type ApiContext, callerOf } from "./route.ts";
import type { IconsBody, IconsQuery } from "./schemas.ts";

/** `GET /icons`: the pictures of some hosts, as far as the account has them. */
export const getIcons = async (context: ApiContext<IconsQuery>): Promise<Reply> => {
  const hosts = new Set(context.query.hosts.split(",").filter((host) => host !== ""));
  if (hosts.size > MAX_ICONS_ASKED)
    throw invalid(`hosts may name at most ${MAX_ICONS_ASKED} hosts. Ask for the rest separately.`);
  const { account } = callerOf(context);
  return json({ icons: await readIcons(context.store, account.id, [...hosts]) });
};

/** `POST /icons`: keeps pictures that a device's browser has of some hosts. */
export const postIcons = async (context: ApiContext<unknown, IconsBody>): Promise<Reply> => {
  const { store, request, service, now } = context;
  const icons = context.body.icons.map((icon, at) => ({
    host: icon.host,
    png: parseIcon(icon, at),
  }));
  await identifyAgain(store, request, service.clock.wall());
  await saveIcons(store, callerOf(context).account.id, icons, now);
  return json({ saved: icons.length });
};
