import { secretHint } from "../../domain/base/secret.ts";
import { isLoopback } from "../../domain/base/usage.ts";
import type { Command, Run } from "../command.ts";
import { keepOffProxies } from "../../server/proxies.ts";
import { printList } from "../terminal.ts";
import type { Tokens } from "../selftest/client.ts";
import type { Report, Result } from "../selftest/selftest.ts";
import { localAddress } from "./about.ts";

/** For authors of servers and clients: does this server do what the public API promises? */
export const selftestCommand: Command = {
  name: "selftest",
  usage: "[URL] [--json]",
  about:
    "check a running server against the public API, with the credentials in DOCKET_SESSION_TOKEN, DOCKET_API_KEY, " +
    "DOCKET_READ_KEY and DOCKET_WRITE_KEY",
  flags: { json: false },
  words: [0, 1],
  run: async (run) => {
    // Loaded only here, so that no other command waits for it.
    const [{ readAddress }, { firstContact }, { selfTest }] = await Promise.all([
      import("../selftest/address.ts"),
      import("../selftest/reach.ts"),
      import("../selftest/selftest.ts"),
    ]);
    const address = readAddress(run.words[0] ?? run.url ?? localAddress(run.config));
    const url = new URL(address.root);
    keepOffProxies(url);
    const tokens = tokensOf(run);
    const hide = hider(tokens);
    warn(run, url);
    const problem = await firstContact(address, tokens);
    if (problem !== null) {
      run.say(`docket: ${hide(problem)}`);
      return 1;
    }
    const mark = `docket-selftest-${crypto.randomUUID().slice(0, 8)}`;
    run.say(`Checking ${address.base}. Everything it makes is called ${mark}.`);
    const report = await selfTest({ address, tokens, mark, say: run.say, isStopped: stopper() });
    return conclude(run, report, hide);
  },
};

const tokensOf = (run: Run): Tokens => {
  const named = {
    session: run.variable("session-token"),
    key: run.key(),
    reader: run.variable("read-key"),
    writer: run.variable("write-key"),
  };
  return Object.fromEntries(Object.entries(named).filter(([, token]) => token !== undefined));
};

/** A server may send a secret back. It is not printed. */
const hider =
  (tokens: Tokens) =>
  (text: string): string =>
    Object.values(tokens).reduce(
      (shown, token) => shown.replaceAll(token, secretHint(token)),
      text,
    );

const warn = (run: Run, { hostname, protocol }: URL): void => {
  if (isLoopback(hostname) || protocol === "https:") return;
  run.say(
    `Warning: The credentials go to ${hostname} without https, so others on the network can read them. Use https.`,
  );
};

/** After the first SIGINT, the records are still deleted. A second one ends the process at once. */
const stopper = (): (() => boolean) => {
  let isStopped = false;
  process.once("SIGINT", () => {
    isStopped = true;
  });
  return () => isStopped;
};

const conclude = (run: Run, { results, left }: Report, hide: (text: string) => string): number => {
  const count = (result: string): number => results.filter((one) => one.result === result).length;
  const rows = results.map((one) => ({ ...one, why: one.why && hide(one.why) }));
  printList(run, run.has("json") ? rows : rows.map(lineOf), "");
  const [failed, skipped] = [count("failed"), count("skipped")];
  run.say(`${count("passed")} passed, ${failed} failed, ${skipped} skipped.`);
  run.say(
    left.length === 0
      ? "Deleted what it made. The server keeps the tombstones, the history and the keys' activity."
      : `Could not delete: ${left.map(hide).join("; ")}.`,
  );
  if (failed === 0 && skipped > 0)
    run.say("Not everything was checked, so the exit code is 1. Set what is missing.");
  return failed + skipped === 0 ? 0 : 1;
};

/** A line of the table. A failure must catch the eye. */
const lineOf = ({ result, check, why }: Result) => ({
  result: result === "failed" ? "FAILED" : result,
  check,
  why: why ?? "",
});
