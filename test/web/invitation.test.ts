import { expect, test } from "bun:test";
import { disableAccount, findAccount, listAccounts } from "../../src/db/people/accounts.ts";
import { issueInvitation } from "../../src/db/people/owner.ts";
import { DAY } from "../../src/domain/base/instant.ts";
import { cryptoRandom } from "../../src/domain/base/secret.ts";
import { refused } from "../support/refused.ts";
import { invitationCode, ownedServer, setUpCode, unownedServer } from "../support/web/joining.ts";
import { storedIn } from "../support/web/table.ts";
import { PASSWORD, visitor } from "../support/web/visitor.ts";

// Password hashes are slow, even more so while other tests run.

const UNKNOWN = "This code is not valid. It may be mistyped, or a newer code may have replaced it.";
const REMEDY = "Ask the owner of this server for a new invitation.";
const bobsForm = (code: string) => ({ code, email: "bob@example.org", password: PASSWORD });

test("someone who was invited creates an account, which does not own the server", async () => {
  const { server } = await ownedServer();
  const bob = visitor(server);
  expect((await bob.get("/invitation")).text).toContain("Invitation code");
  const code = (await invitationCode(server)).toLowerCase().replaceAll("-", " ");
  const seen = await bob.post("/invitation", bobsForm(code));
  expect([seen.status, seen.location]).toEqual([303, "/tasks"]);
  expect((await bob.get("/account")).text).toContain("bob@example.org");
  expect(await findAccount(server.store, "bob@example.org")).toMatchObject({ isOwner: false });
});

test("only the owner can invite anyone", async () => {
  const { server } = await ownedServer();
  await visitor(server).post("/invitation", bobsForm(await invitationCode(server)));
  const bob = await findAccount(server.store, "bob@example.org");
  const now = server.clock.wall();
  expect(
    await refused(() => issueInvitation(server.store, bob?.id ?? 0, cryptoRandom, now)),
  ).toEqual({
    reason: "forbidden",
    message: "Only the owner of this server can invite others.",
    headers: {},
  });
});

test.each([
  ["no code", "", "Enter the code."],
  ["a wrong code", "0000-0000-0000-0000-0000-0000", `${UNKNOWN} ${REMEDY}`],
])(
  "%s shows the form again, says how to get a new code, and creates nothing",
  async (_name, code, problem) => {
    const { server } = await ownedServer();
    await invitationCode(server);
    const before = storedIn(server);
    const seen = await visitor(server).post("/invitation", bobsForm(code));
    expect([seen.status, seen.text]).toEqual([422, expect.stringContaining(problem)]);
    expect(seen.html).toContain('value="bob@example.org"');
    expect(storedIn(server)).toEqual(before);
  },
);

test("a code works for one account, and for seven days", async () => {
  const { server } = await ownedServer();
  const [used, old] = [await invitationCode(server), await invitationCode(server)];
  expect((await visitor(server).post("/invitation", bobsForm(used))).status).toBe(303);
  const eve = visitor(server);
  const again = await eve.post("/invitation", { ...bobsForm(used), email: "eve@example.org" });
  expect([again.status, again.text]).toEqual([
    422,
    expect.stringContaining(`This code has already been used. ${REMEDY}`),
  ]);
  server.clock.advance(7 * DAY);
  const late = await eve.post("/invitation", { ...bobsForm(old), email: "eve@example.org" });
  expect([late.status, late.text]).toEqual([
    422,
    expect.stringContaining(`This code has expired. ${REMEDY}`),
  ]);
  expect([...eve.cookies]).toEqual([]);
  expect(await findAccount(server.store, "eve@example.org")).toBeNull();
});

test("a setup code is not an invitation", async () => {
  const server = await unownedServer();
  const seen = await visitor(server).post("/invitation", bobsForm(await setUpCode(server)));
  expect([seen.status, seen.text]).toEqual([422, expect.stringContaining(`${UNKNOWN} ${REMEDY}`)]);
  expect(await listAccounts(server.store)).toEqual([]);
});

test("an invitation from an owner who is disabled does not work", async () => {
  const { server } = await ownedServer();
  const code = await invitationCode(server);
  await disableAccount(server.store, "ann@example.org", server.clock.wall());
  expect((await visitor(server).post("/invitation", bobsForm(code))).status).toBe(422);
  expect(await findAccount(server.store, "bob@example.org")).toBeNull();
});

test("an e-mail that is taken uses the invitation up, so that each tells of one address at most", async () => {
  const { server } = await ownedServer();
  const code = await invitationCode(server);
  const bob = visitor(server);
  const form = { ...bobsForm(code), email: "ANN@example.org", password: "another password" };
  const seen = await bob.post("/invitation", form);
  expect([seen.status, seen.html]).toEqual([
    422,
    expect.stringContaining(
      `<p class="problem" id="email-problem">This address cannot be used, and the invitation is now used up. ${REMEDY}</p>`,
    ),
  ]);
  expect([...bob.cookies]).toEqual([]);
  const { email, password } = form;
  expect((await visitor(server).post("/sign-in", { email, password })).status).toBe(422);
  for (const next of ["ann@example.org", "bob@example.org"]) {
    const again = await bob.post("/invitation", { ...form, email: next });
    expect([again.status, again.text]).toEqual([
      422,
      expect.stringContaining(`This code has already been used. ${REMEDY}`),
    ]);
  }
  expect(await listAccounts(server.store)).toHaveLength(1);
  const noted = server.logged.map((line) => JSON.parse(line));
  expect(noted.find(({ message }) => message.startsWith("an invitation"))).toMatchObject({
    level: "warn",
    message: "an invitation was used up by an address that has an account",
    address: "127.0.0.1",
    account: "ann@example.org",
  });
});

test("nobody learns which e-mails are taken without a code", async () => {
  const { server } = await ownedServer();
  const bob = visitor(server);
  const tell = async (email: string) =>
    (await bob.post("/invitation", { ...bobsForm("0000-0000"), email })).text;
  expect(await tell("ann@example.org")).toBe(await tell("nobody@example.org"));
});

test("of fifty people who use one invitation at once, one gets in", async () => {
  const { server } = await ownedServer();
  const code = await invitationCode(server);
  const tries = Array.from({ length: 50 }, (_, at) =>
    visitor(server).post("/invitation", { ...bobsForm(code), email: `person.${at}@example.org` }),
  );
  const statuses = (await Promise.all(tries)).map(({ status }) => status);
  expect(statuses.filter((status) => status === 303)).toHaveLength(1);
  for (const status of statuses) expect(status).toBeOneOf([303, 422, 503]);
  expect(await listAccounts(server.store)).toHaveLength(2);
});
