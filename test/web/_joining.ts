import { onTestFinished } from "bun:test";
import { findOwner, issueInvitation, issueSetUpCode } from "../../src/db/people/owner.ts";
import { cryptoRandom } from "../../src/domain/base/secret.ts";
import { startServer, type TestServer } from "../support/server.ts";
import { PASSWORD, visitor } from "./_visitor.ts";

/** A server that nobody owns yet, stopped when the test is done. */
export const unownedServer = async (): Promise<TestServer> => {
  const server = await startServer();
  onTestFinished(() => server.stop());
  return server;
};

export const setUpCode = (server: TestServer): Promise<string> =>
  issueSetUpCode(server.store, cryptoRandom, server.clock.wall());

/** What ann types where she sets the server up. */
export const annsForm = (code: string) => ({ code, email: "ann@example.org", password: PASSWORD });

/** A server that ann owns, and a code by which she invites someone. */
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
