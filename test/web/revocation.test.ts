import { describe, expect, test } from "bun:test";
import { disableAccount, enableAccount, setPassword } from "../../src/db/people/accounts.ts";
import { listKeys } from "../../src/db/people/api-keys.ts";
import { createSession } from "../../src/db/people/sessions.ts";
import { MINUTE } from "../../src/domain/base/instant.ts";
import { startHasher } from "../../src/domain/people/password.ts";
import { cryptoRandom, digestSecret } from "../../src/domain/base/secret.ts";
import { ask } from "../support/db/store.ts";
import { sharedServer, until } from "../support/replies.ts";
import { exchange, head } from "../support/socket.ts";
import { PASSWORD, someoneSignedIn, visitor } from "../support/web/visitor.ts";

// Password hashes are slow, even more so while other tests run.

const server = await sharedServer();
const newPassword = await startHasher().hash("another password");

type Ann = Awaited<ReturnType<typeof someoneSignedIn>>;

/** What an administrator does with a command while the server runs. */
const COMMANDS = {
  "a new password": async ({ account }: Ann) =>
    setPassword(
      server.store,
      account.email,
      newPassword,
      { browserSessionId: null },
      server.clock.wall(),
    ),
  "disabling the account": async ({ account }: Ann) =>
    disableAccount(server.store, account.email, server.clock.wall()),
};

/** Whether ann's browser and her device still get in. */
const admit = async (ann: Ann, token: string) => ({
  page: (await ann.get("/account")).status === 200,
  api: (await server.call("GET", "/me", { token })).status === 200,
});

describe.each(Object.entries(COMMANDS))("%s", (_name, command) => {
  test("signs out browsers and devices from the next call on, even in the middle of many", async () => {
    const ann = await someoneSignedIn(server);
    const now = server.clock.wall();
    const device = await createSession(server.store, ann.account.id, "laptop", cryptoRandom, now);
    const token = device.secret;
    expect(await admit(ann, token)).toEqual({ page: true, api: true });
    const flights = Array.from({ length: 200 }, () => ann.get("/account"));
    await command(ann);
    const later = Array.from({ length: 200 }, () => admit(ann, token));
    for (const seen of await Promise.all(later)) expect(seen).toEqual({ page: false, api: false });
    for (const { status } of await Promise.all(flights)) expect(status).toBeOneOf([200, 303]);
  });

  test("stops a form that was being sent in the meantime", async () => {
    const ann = await someoneSignedIn(server);
    const reply = await slowly(ann, "/account/keys", KEY, () => command(ann));
    expect([reply.status, reply.headers.get("location")]).toEqual([303, "/sign-in"]);
    expect(await listKeys(server.store, ann.account.id)).toEqual([]);
  });

  test("lets nobody in whose old password was being checked in the meantime", async () => {
    const ann = await someoneSignedIn(server);
    const thieves = Array.from({ length: 5 }, () => visitor(server));
    const form = { email: ann.account.email, password: PASSWORD };
    const tries = thieves.map((thief) => thief.post("/sign-in", form));
    const subject = `email:${digestSecret(ann.account.email).toString("base64url")}`;
    const counted = "SELECT count FROM failure WHERE subject = ? AND count = 5";
    await until(() => ask(server.directory, counted, subject).length > 0);
    await command(ann);
    for (const { status, text } of await Promise.all(tries))
      expect([status, text]).toEqual([422, expect.stringContaining(WRONG)]);
    await enableAccount(server.store, ann.account.email);
    for (const thief of thieves) expect((await thief.get("/account")).status).toBe(303);
  });
});

const WRONG = "Wrong e-mail address or password.";
const KEY = "name=evil&read=on&where=account&expires=90d";

test("a proof does not stay fresh while a form is being sent", async () => {
  const ann = await someoneSignedIn(server);
  const later = async () => server.clock.advance(11 * MINUTE);
  const reply = await slowly(ann, "/account/keys", KEY, later);
  expect([reply.status, reply.body]).toEqual([
    422,
    expect.stringContaining("Enter your password to continue."),
  ]);
  expect(await listKeys(server.store, ann.account.id)).toEqual([]);
});

/** Posts a form in two halves, and does something in between. */
const slowly = (ann: Ann, path: string, form: string, meanwhile: () => Promise<unknown>) =>
  exchange(
    server.url,
    (async function* () {
      yield head(
        `POST ${path}`,
        `Host: ${new URL(server.url).host}`,
        `Origin: ${server.url}`,
        `Cookie: ${[...ann.cookies].map(([name, value]) => `${name}=${value}`).join("; ")}`,
        "Content-Type: application/x-www-form-urlencoded",
        `Content-Length: ${form.length}`,
      );
      yield form.slice(0, 5);
      await Bun.sleep(50);
      await meanwhile();
      yield form.slice(5);
    })(),
  );
