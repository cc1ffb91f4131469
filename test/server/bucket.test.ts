import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { DAY } from "../../src/domain/base/instant.ts";
import { type Bucket, openBucket, type S3Settings } from "../../src/server/bucket.ts";
import { withTask } from "../support/backups.ts";
import { DOCKET } from "../support/docket.ts";
import { testWith } from "../support/faults/needs.ts";
import { freePort } from "../support/postgres.ts";
import { run } from "../support/program.ts";
import { until } from "../support/replies.ts";
import { NOON, testDirectory } from "../support/server.ts";

const CAN = Bun.which("moto_server") !== null;

/** A service that speaks S3: moto's server, in a process of its own. */
let endpoint = "";
let service: Bun.Subprocess | null = null;

beforeAll(async () => {
  if (!CAN) return;
  endpoint = `http://127.0.0.1:${freePort()}`;
  service = Bun.spawn(["moto_server", "-H", "127.0.0.1", "-p", new URL(endpoint).port], {
    stdout: "ignore",
    stderr: "ignore",
  });
  await until(async () => (await fetch(endpoint).catch(() => null)) !== null);
});
afterAll(async () => {
  service?.kill();
  await service?.exited;
});

const settingsFor = (bucket: string, prefix = ""): S3Settings => ({
  endpoint,
  bucket,
  prefix,
  region: null,
  accessKeyId: "key",
  secretAccessKey: "secret",
});

const newBucket = async (name: string, prefix = ""): Promise<Bucket> => {
  await fetch(`${endpoint}/${name}`, { method: "PUT" });
  return openBucket(settingsFor(name, prefix));
};

const namesIn = async (bucket: Bucket): Promise<readonly string[]> =>
  (await bucket.list()).map(({ name }) => name);

describe("The daily copies and a bucket", () => {
  testWith(["moto_server"], "are sent there, each once, and kept by the same rule", async () => {
    const bucket = await newBucket("kept", "docket/home");
    const { clock, directory, backups } = await withTask({ bucket });
    for (let day = 0; day < 40; day += 4) {
      clock.set(NOON + day * DAY);
      await backups.look();
      await backups.look();
    }
    const there = await namesIn(bucket);
    expect(there).toEqual(readdirSync(directory).toSorted().toReversed());
    expect(there.length).toBeGreaterThan(6);
    expect(backups.state().away).toEqual({
      address: `${endpoint}/kept/docket/home`,
      last: there[0] ?? "",
      failure: null,
    });
    // Nothing else in the bucket is touched, or taken for a copy.
    expect(await namesIn(openBucket(settingsFor("kept")))).toEqual([]);
  });

  testWith(["moto_server"], "are brought back on an empty machine, and restored", async () => {
    const bucket = await newBucket("back");
    const { backups } = await withTask({ bucket });
    await backups.look();
    const [name = ""] = await namesIn(bucket);
    const data = testDirectory();
    const where = endpoint.replace("//", "//key:secret@");
    const docket = (...words: readonly string[]) => run(DOCKET, [...words, "--data", data]);
    const fetched = await docket("backups", "fetch", "--backups-s3", `${where}/back`);
    expect(fetched).toMatchObject({
      code: 0,
      out: expect.stringContaining(`${name}: sound, 1 account, 1 task`),
    });
    expect(await docket("restore", name, "--yes")).toMatchObject({ code: 0 });
    const again = await docket("backups", "fetch", "--backups-s3", `${where}/back`);
    expect([again.code, again.err]).toEqual([1, expect.stringContaining("is there already.")]);
    const none = await docket("backups", "fetch", "2020-01-01", "--backups-s3", `${where}/back`);
    expect([none.code, none.err]).toEqual([1, expect.stringContaining(`The newest is ${name}.`)]);
    const config = await docket("config", "--json");
    expect(config.out).not.toContain("secret@");
  });

  testWith(
    ["moto_server"],
    "that cannot be sent: why is said once, and it is tried again",
    async () => {
      const { said, directory, backups, clock } = await withTask({
        bucket: openBucket(settingsFor("late")),
      });
      await backups.look();
      expect(readdirSync(directory)).toHaveLength(1);
      expect(backups.state()).toMatchObject({
        failure: null,
        away: { failure: expect.stringContaining(`${endpoint}/late: there is no such bucket.`) },
      });
      await backups.look();
      expect(said.filter((line) => line.includes("could not be sent away"))).toHaveLength(1);
      const bucket = await newBucket("late");
      clock.advance(DAY / 24);
      await backups.look();
      expect(backups.state().away?.failure).toBeNull();
      expect(await namesIn(bucket)).toEqual(readdirSync(directory));
    },
  );

  test("at which nobody answers: the sentence names the place and the likely cause", async () => {
    const nowhere = openBucket({ ...settingsFor("b"), endpoint: "http://127.0.0.1:9" });
    expect(nowhere.list()).rejects.toThrow(
      "The copies cannot be listed at http://127.0.0.1:9/b: nothing answers there. Check the address and the network.",
    );
  });

  testWith(["moto_server"], "on this machine are not sent through a proxy", async () => {
    await newBucket("near");
    const where = endpoint.replace("//", "//key:secret@");
    const words = ["backups", "fetch", "--backups-s3", `${where}/near`, "--data", testDirectory()];
    const proxy = { HTTP_PROXY: "http://127.0.0.1:9", http_proxy: "http://127.0.0.1:9" };
    // A machine may name what it keeps off its proxy itself, in either way.
    for (const kept of [{}, { no_proxy: "home.example" }, { NO_PROXY: "home.example" }]) {
      const { err } = await run(DOCKET, words, { env: { ...proxy, ...kept } });
      expect(err).toContain(`There is no copy at ${endpoint}/near.`);
    }
  });
});

test("An address without a key, a secret or a bucket is refused, and not repeated", async () => {
  for (const url of [
    "https://s3.example.org/b",
    "https://KEY:hush@s3.example.org",
    "s3://b",
    "x",
  ]) {
    const { code, err } = await run(DOCKET, ["config", "--backups-s3", url]);
    expect([code, err]).toEqual([2, expect.stringContaining("such as https://KEY:SECRET@")]);
    expect(err).not.toContain("hush");
  }
});
