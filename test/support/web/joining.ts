import { onTestFinished } from "bun:test";
import { findOwner, issueInvitation, issueSetUpCode } from "../../../src/db/people/owner.ts";
import { cryptoRandom } from "../../../src/domain/base/secret.ts";
import { startServer, type TestServer } from "../server.ts";
import { PASSWORD, visitor } from "./visitor.ts";

/** A server without an owner, stopped when the test ends. */
export const unownedServer = async (): Promise<TestServer> => {
  const server = await startServer();
  onTestFinished(() => server.stop());
  return server;
};

export const setUpCode = (server: TestServer): Promise<string> =>
  issueSetUpCode(server.store, cryptoRandom, server.clock.wall());

/** What ann types to set up the server. */
export const annsForm = (code: string) => ({ code, email: "ann@example.org", password: PASSWORD });

/** A server that ann owns, and her browser, which is signed in. */
export const ownedServer = async () => {
  const server = await unownedServer();
  const ann = visitor(server);
  const { status } = await ann.post("/setup", annsForm(await setUpCode(server)));
  if (status !== 303) throw new Error("The server could not be set up.");
  return { server, ann };
};

export const invitationCode = async ({ store, clock }: TestServer): Promise<string> => {
  const owner = await findOwner(store);
  return issueInvitation(store, owner?.id ?? 0, cryptoRandom, clock.wall());
};
