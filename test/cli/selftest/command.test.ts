import { describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { CHECKS } from "../../../src/cli/selftest/checks.ts";
import { newcomer, sharedServer } from "../../support/replies.ts";
import { testDirectory } from "../../support/server.ts";
import { selftest } from "../../support/cli/command.ts";
import { changed, startWrongServer } from "../../support/cli/wrong.ts";

const right = await sharedServer();

const credentials = async () => {
  const ann = await newcomer(right);
  return {
    session: ann.session,
    key: await ann.key(["read", "write"]),
    reader: await ann.key(["read"]),
    writer: await ann.key(["write"]),
  };
};

const DELETED =
  "Deleted what it made. The server keeps the tombstones, the history and the keys' activity.";

describe("docket selftest", () => {
  test("prints one line a check and exits with 0 if all passed", async () => {
    const { code, out, err } = await selftest([right.url], await credentials());
    const [head, ...lines] = out.trimEnd().split("\n");
    expect(head).toMatch(/^RESULT +CHECK +WHY$/);
    expect(lines).toEqual(CHECKS.map(({ rule }) => `passed  ${rule}`));
    expect(err.trim().split("\n")).toEqual([
      expect.stringMatching(
        /^Checking http:\S+\/api\/public\/v1\. Everything it makes is called docket-selftest-\w+\.$/,
      ),
      `${CHECKS.length} passed, 0 failed, 0 skipped.`,
      DELETED,
    ]);
    expect(code).toBe(0);
  });

  test("prints JSON for machines", async () => {
    const { code, out } = await selftest([right.url, "--json"], await credentials());
    expect([code, JSON.parse(out)]).toEqual([
      0,
      CHECKS.map(({ area, rule }) => ({ result: "passed", area, check: rule, why: null })),
    ]);
  });

  test("skips what needs a key that is not set, says so, and exits with 1", async () => {
    const { session } = await credentials();
    const { code, out, err } = await selftest([`${right.url}/api/public/v1/`], { session });
    const skipped = out.split("\n").filter((line) => line.startsWith("skipped"));
    const needing = CHECKS.filter(({ needs }) => needs.length > 0);
    expect(skipped).toHaveLength(needing.length);
    for (const name of ["DOCKET_API_KEY", "DOCKET_READ_KEY", "DOCKET_WRITE_KEY"])
      expect(out).toContain(`${name} is not set.`);
    expect(err).toContain(`0 failed, ${needing.length} skipped.`);
    expect(err).toEndWith(
      "Not everything was checked, so the exit code is 1. Set what is missing.\n",
    );
    expect(code).toBe(1);
  });

  test("prints what failed and why, and exits with 1", async () => {
    const tokens = await credentials();
    const wrong = startWrongServer(right.url, tokens, ({ line, who }, pass) =>
      line.startsWith("DELETE") && who === "key"
        ? Promise.resolve(Response.json({ deleted: true }))
        : line === "GET /entitlement" && who === "session"
          ? changed(pass(), (json) => ({ ...json, pro: `yes\u001B[31m ${tokens.session}` }))
          : null,
    );
    const { code, out, err } = await selftest([wrong.url], tokens);
    await wrong.stop();
    expect(out.split("\n").filter((line) => line.startsWith("FAILED"))).toEqual([
      expect.stringMatching(
        /^FAILED {2}GET \/entitlement says .* {2}GET \/entitlement: pro is "yes\\u001b\[31m docket_sess_\w{4}…\w{4}", not true or false\.$/,
      ),
      expect.stringMatching(
        /^FAILED {2}DELETE and PUT by a key answer 405, .* {2}DELETE by a key answered 200, not 405\.$/,
      ),
    ]);
    expect(out + err).not.toContain(tokens.session);
    expect([code, err.includes("2 failed, 0 skipped.")]).toEqual([1, true]);
  });

  test("takes its credentials and the address from files too, so that none is on the command line", async () => {
    const { session, key } = await credentials();
    const directory = testDirectory();
    const file = (name: string, text: string): string => {
      writeFileSync(join(directory, name), `${text}\n`);
      return join(directory, name);
    };
    const { err } = await selftest(
      [],
      {},
      {
        DOCKET_URL: right.url,
        DOCKET_SESSION_TOKEN_FILE: file("session", session),
        DOCKET_API_KEY_FILE: file("key", key),
      },
    );
    expect(err).toContain("0 failed, 2 skipped.");
  });

  test("waits for a key that has used up its minute", async () => {
    const tokens = await credentials();
    let refusals = 0;
    const wrong = startWrongServer(right.url, tokens, ({ who, line }) =>
      who === "key" && line === "POST /sync" && refusals++ === 0
        ? Promise.resolve(
            Response.json({ error: "Later." }, { status: 429, headers: { "retry-after": "1" } }),
          )
        : null,
    );
    const { code, err } = await selftest([wrong.url], tokens);
    await wrong.stop();
    expect([code, refusals]).toEqual([0, 2]);
    expect(err).toContain("The API key has used up its minute. Waiting 1 s.");
  });

  test("does not wait for a key that has used up its hour", async () => {
    const tokens = await credentials();
    const headers = { "retry-after": "1800" };
    const wrong = startWrongServer(right.url, tokens, ({ who }) =>
      who === "writer"
        ? Promise.resolve(Response.json({ error: "Later." }, { status: 429, headers }))
        : null,
    );
    const { code, out } = await selftest([wrong.url], tokens);
    await wrong.stop();
    expect([code, out]).toEqual([
      1,
      expect.stringContaining("The rate limit refuses this API key for 1800 s. Use another key."),
    ]);
  });

  test("does not try a rate limit that is too high to try", async () => {
    const tokens = await credentials();
    const wrong = startWrongServer(right.url, tokens, async (_asked, pass) => {
      const reply = await pass();
      const headers = new Headers(reply.headers);
      headers.set("ratelimit-policy", '"minute";q=100000;w=60, "hour";q=100000;w=3600');
      return new Response(reply.status === 204 ? null : await reply.text(), {
        status: reply.status,
        headers,
      });
    });
    const { code, out } = await selftest([wrong.url], tokens);
    await wrong.stop();
    expect([code, out.split("\n").at(-2)]).toEqual([
      1,
      expect.stringMatching(
        /^skipped .* {2}This server allows 100000 requests a minute: too many to try\.$/,
      ),
    ]);
  });
});
