import { describe, expect, test } from "bun:test";
import { copyFileSync, readFileSync, renameSync, rmSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { DOCKET } from "../../../support/docket.ts";
import { run } from "../../../support/program.ts";
import { query, makeCredentials, startServerProcess } from "../../../support/process.ts";
import { testDirectory } from "../../../support/server.ts";

const RESTORED = /they were moved or restored/;

describe("A server that starts on the data", () => {
  test("goes on as before after a stop, a kill, and a change by a command", async () => {
    const { data, server, epoch } = await used();
    for (const signal of ["SIGTERM", "SIGKILL", "SIGTERM"] as const) {
      await server.stop(signal);
      await run(DOCKET, ["key", "create", "--name", signal, "--data", data]);
      await server.start();
      expect(server.said()).not.toMatch(RESTORED);
      expect(epochIn(data)).toBe(epoch);
    }
    await server.stop("SIGTERM");
  });

  test("that an older version left, goes on as before", async () => {
    const { data, server, epoch } = await used();
    await server.stop("SIGTERM");
    query(data, "PRAGMA user_version = 0");
    rmSync(join(data, "docket.lease"));
    await server.start();
    expect(epochIn(data)).toBe(epoch);
    await server.stop("SIGTERM");
    expect(query<{ user_version: number }>(data, "PRAGMA user_version")).toEqual([
      { user_version: 1 },
    ]);
  });

  test("gives them a new epoch if the directory lacks the note, as on an empty machine", async () => {
    const { server, copy, epoch } = await used();
    await server.stop("SIGKILL");
    const other = testDirectory();
    copyFileSync(copy, join(other, "docket.db"));
    const restored = await startServerProcess(other);
    expect(restored.said()).toMatch(RESTORED);
    const given = epochIn(other);
    expect(given).not.toBe(epoch);
    await restored.stop("SIGKILL");
    await restored.start();
    expect(epochIn(other)).toBe(given);
    await restored.stop("SIGTERM");
  });

  test("gives them a new epoch if another file was put in their place", async () => {
    const { data, server, copy, epoch } = await used();
    await server.stop("SIGTERM");
    renameSync(copy, join(data, "docket.db"));
    await server.start();
    expect(server.said()).toMatch(RESTORED);
    expect(epochIn(data)).not.toBe(epoch);
    await server.stop("SIGTERM");
  });

  test("gives them a new epoch, and stamps above all that was given out, if they lie behind the note", async () => {
    const { data, server, copy, epoch } = await used();
    await server.stop("SIGTERM");
    const file = join(data, "docket.db");
    const born = statSync(file).birthtimeMs;
    const reached = Date.now() + 3_600_000;
    query(data, `UPDATE server SET lease = ${reached}`);
    await server.start();
    await server.stop("SIGTERM");
    await Bun.write(file, readFileSync(copy));
    expect(statSync(file).birthtimeMs).toBe(born);
    await server.start();
    expect(epochIn(data)).not.toBe(epoch);
    expect(leaseIn(data)).toBeGreaterThan(reached);
    await server.stop("SIGTERM");
  });

  test("does not change the epoch once more after a restore", async () => {
    const { data, server, copy, epoch } = await used();
    await server.stop("SIGTERM");
    await run(DOCKET, ["restore", copy, "--yes", "--data", data]);
    const given = epochIn(data);
    expect(given).not.toBe(epoch);
    await server.start();
    expect(epochIn(data)).toBe(given);
    await server.stop("SIGTERM");
  });
});

test("The note is for its owner alone, and is not written through a link", async () => {
  const { data, server } = await used();
  const note = join(data, "docket.lease");
  expect(statSync(note).mode & 0o777).toBe(0o600);
  await server.stop("SIGTERM");
  const elsewhere = join(testDirectory(), "file");
  await Bun.write(elsewhere, "mine");
  rmSync(note);
  symlinkSync(elsewhere, note);
  await server.start();
  await server.stop("SIGTERM");
  expect(readFileSync(elsewhere, "utf8")).toBe("mine");
});

/** Data that a server works on, and a copy of them. */
const used = async () => {
  const data = testDirectory();
  await makeCredentials(data);
  const server = await startServerProcess(data);
  const copy = join(testDirectory(), "copy.db");
  await run(DOCKET, ["backup", copy, "--data", data]);
  return { data, server, copy, epoch: epochIn(data) };
};

const epochIn = (data: string): string => serverIn(data).epoch;

const leaseIn = (data: string): number => serverIn(data).lease;

const serverIn = (data: string) => {
  const [row] = query<{ epoch: string; lease: number }>(data, "SELECT epoch, lease FROM server");
  if (row === undefined) throw new Error("there is no row");
  return row;
};
