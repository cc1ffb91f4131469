import { constants, cpSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { run, type Running, serve } from "../support/program.ts";
import type { Genes } from "./_genes.ts";
import { LEGAL } from "./_legal-calls.ts";
import { type Call, type Sender, startSender } from "./_sending.ts";
import { makeSessionOf, UNLIMITED, type Waited, waitsDuring } from "./_waiting.ts";
import { FILED_INTO, pushesOfWorld } from "./_world.ts";

const V1 = "/api/public/v1";
/** After so many bytes of bodies, the search goes on in a new copy of its world. */
const ENOUGH = 400 * 1024 * 1024;
/** How long a rest takes, in ms: about as long as a large push. */
const REST = 1_500;

type Tokens = { readonly session: string; readonly key: string; readonly bob: string };

/** A server with ann's world, and a probe by bob. */
export const startPlace = async (program: readonly string[], folder: string) => {
  const template = join(folder, "world");
  mkdirSync(template);
  const sender = startSender(folder);
  const tokens = await makeWorld(program, template, sender);
  let running: Running | null = null;
  let sent = 0;
  const stop = async (): Promise<void> => {
    await running?.stop("SIGKILL");
    rmSync(join(folder, "data"), { recursive: true, force: true });
    running = null;
  };
  const start = async (): Promise<Running> => {
    await stop();
    cpSync(template, join(folder, "data"), { recursive: true, mode: constants.COPYFILE_FICLONE });
    sent = 0;
    running = await serveAt(program, join(folder, "data"));
    const { url } = running;
    // An index that is not ready yet is none of the calls' doing.
    const search: Call = { method: "GET", path: `${V1}/tasks?q=common`, body: null };
    while ((await sender.send(url, tokens.session, search)).status === 503) await Bun.sleep(50);
    return running;
  };
  const attempt = async (genes: Genes): Promise<Waited> => {
    const call = LEGAL[genes.call](genes);
    const { url } = running && sent < ENOUGH ? running : await start();
    sent += call.body?.length ?? 0;
    const token = mustBySession(genes) || !genes.byKey ? tokens.session : tokens.key;
    return waitsDuring(url, tokens.bob, sender.ready(url, token, call));
  };
  return {
    attempt,
    /** The same for as long as a push takes, without a call. */
    rest: async () => {
      const { url } = running ?? (await start());
      return waitsDuring(url, tokens.bob, () =>
        Bun.sleep(REST).then(() => ({ status: 0, took: 0 })),
      );
    },
    end: async (): Promise<void> => {
      await stop();
      await sender.stop();
    },
  };
};

const mustBySession = ({ call }: Genes): boolean => /push|pull/.test(call);

const serveAt = (program: readonly string[], directory: string): Promise<Running> =>
  serve(program, ["--data", directory, "--log", "off", ...UNLIMITED]);

const makeWorld = async (
  program: readonly string[],
  directory: string,
  sender: Sender,
): Promise<Tokens> => {
  const session = await makeSessionOf(program, directory, "ann@example.org");
  const bob = await makeSessionOf(program, directory, "bob@example.org");
  const words = ["key", "create", "--account", "ann@example.org", "--name", "helper"];
  const made = await run(program, [...words, "--scopes", "read,write", "--data", directory]);
  const key = made.out.trim();
  const server = await serveAt(program, directory);
  const post = async (token: string, path: string, body: unknown): Promise<void> => {
    const call = { method: "POST", path: V1 + path, body: JSON.stringify(body) };
    const { status } = await sender.send(server.url, token, call);
    if (status >= 300) throw new Error(`${path} was answered with ${status}.`);
  };
  for (const push of pushesOfWorld()) await post(session, "/sync", push);
  for (const id of FILED_INTO) await post(key, `/tasks/${id}/tabs`, [{ url: "https://x.example" }]);
  await server.stop("SIGTERM");
  return { session, key, bob };
};
