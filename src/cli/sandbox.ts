import type { App, AppOptions } from "../start.ts";
import type { Clock } from "../domain/base/instant.ts";
import { UsageError } from "../domain/base/usage.ts";
import type { Run } from "./command.ts";

/** What `docket serve` does differently with `--sandbox`. */
export type SandboxRun = Required<Pick<AppOptions, "clock" | "directory" | "wrap">> & {
  /** Creates the account and its credentials, and prints them. */
  readonly fill: (app: App, address: string) => Promise<void>;
  /** Deletes the data. */
  readonly remove: () => void;
};

/** Prepares a sandbox. Throws `UsageError` for settings with which other machines could reach it, or with `--data`. */
export const prepareSandbox = async (run: Run, real: Clock): Promise<SandboxRun> => {
  refuseSettings(run);
  // Loaded only here: no other server has this code in memory.
  const [{ openSandbox }, { wrapInSandbox }, { fillSandbox }] = await Promise.all([
    import("../sandbox/sandbox.ts"),
    import("../sandbox/wrap.ts"),
    import("../sandbox/account.ts"),
  ]);
  const { clock, directory, remove } = openSandbox(real);
  const limits = { perMinute: run.config.ratePerMinute, perHour: run.config.ratePerHour };
  const fill = async ({ store }: App, address: string): Promise<void> => {
    await fillSandbox(store, clock.wall());
    await sayLoudly(run, address);
  };
  return { clock, directory, remove, fill, wrap: wrapInSandbox(clock, limits) };
};

const refuseSettings = ({ config, flag }: Run): void => {
  if (flag("data") !== undefined)
    throw new UsageError(
      "A sandbox keeps its data in a temporary directory and deletes them when it stops. Leave out --data.",
    );
  if (flag("database") !== undefined)
    throw new UsageError("A sandbox never uses your database. Leave out --database.");
  if (config.host === "127.0.0.1" && config.publicUrl === null && config.allowedHosts.length === 0)
    return;
  throw new UsageError(
    "Everyone knows a sandbox's passwords, so it listens on 127.0.0.1 only. Leave out --host, --public-url and " +
      "--allowed-hosts, and unset DOCKET_HOST, DOCKET_PUBLIC_URL and DOCKET_ALLOWED_HOSTS.",
  );
};

const sayLoudly = async (run: Run, address: string): Promise<void> => {
  const { SANDBOX_OWNER, SANDBOX_SECRETS } = await import("../sandbox/account.ts");
  const { email, password } = SANDBOX_OWNER;
  run.say(
    "THIS IS A SANDBOX, for development only. It forgets everything when it stops, and everyone knows its passwords.",
  );
  run.print(`  Clock   ${address}/sandbox/clock`);
  run.print(`  Sign in as ${email} with the password: ${password}`);
  run.print("Its session token and API keys are the same every time:");
  for (const [name, value] of Object.entries({ DOCKET_URL: address, ...SANDBOX_SECRETS }))
    run.print(`export ${name}=${value}`);
};
