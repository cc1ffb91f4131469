import { type Case, by, when } from "./case.ts";
import { type Asked, changed, type Pass } from "../../../support/cli/wrong.ts";

const forgiving = (_asked: Asked, pass: Pass): Promise<Response> =>
  pass().then((reply) => (reply.status === 429 ? pass({ who: "session" }) : reply));

const LIMIT = "More requests than a minute allows answer 429 with Retry-After";

export const RATE: readonly Case[] = [
  by(
    "key",
    "does not say what is left",
    /./,
    (_asked, pass) => changed(pass(), undefined, { without: "ratelimit" }),
    "Replies to a key say what is left of its minute and hour",
  ),
  by(
    "key",
    "drops Retry-After",
    /./,
    (_asked, pass) => changed(pass(), undefined, { without: "retry-after" }),
    LIMIT,
  ),
  by("key", "never refuses a key that asks too often", /^GET \/me/, forgiving, LIMIT),
  by(
    "key",
    "refuses a key that asks too often with 503",
    /^GET \/me/,
    (_asked, pass) =>
      pass().then((reply) =>
        reply.status === 429 ? changed(reply, undefined, { status: 503 }) : reply,
      ),
    LIMIT,
  ),
];

const cutOff = async (): Promise<Response> => {
  let isBegun = false;
  const half = new ReadableStream({
    pull: (controller) => {
      if (isBegun) return controller.error();
      isBegun = true;
      controller.enqueue(new TextEncoder().encode('{"id":'));
    },
  });
  return new Response(half, { status: 201 });
};

/** What a broken machine or network does to replies. */
export const BROKEN: readonly Case[] = [
  when(
    "breaks off its replies",
    /^POST \/projects/,
    ({ who }) => (who === "nobody" ? null : cutOff()),
    "status, project_id and created_by filter the list",
    "POST /projects creates a folder, and GET /projects lists it",
    "A key with only read may read, and not write (403)",
  ),
  by(
    "session",
    "answers with a web page",
    /\/notes$/,
    async () => new Response("<!doctype html>", { headers: { "content-type": "text/html" } }),
    "A task that does not exist answers 404",
    "POST /tasks/{id}/notes adds a note",
  ),
];
