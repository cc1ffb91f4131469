import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { VERSION } from "../../src/domain/base/release.ts";
import { buildBinary, run, serve } from "../support/program.ts";
import { testDirectory } from "../support/server.ts";

const ROOT = join(import.meta.dir, "../..");
const TARGET = `linux-${process.arch}`;
const NAME = `docket-${VERSION}-${TARGET}`;

describe.skipIf(process.platform !== "linux")("A release", () => {
  const out = testDirectory();
  let shop: Bun.Server<undefined>;
  let spoiled = "";

  beforeAll(async () => {
    await buildBinary();
    // Where people would fetch it from.
    shop = Bun.serve({
      hostname: "127.0.0.1",
      port: 0,
      fetch: (request) => {
        const name = new URL(request.url).pathname.slice(1);
        return new Response(name === spoiled ? "something else" : Bun.file(join(out, name)));
      },
    });
    const words = ["src/release/release.ts", TARGET, "--out", out, "--from", shop.url.origin];
    const made = await run([process.execPath, ...words], [], { cwd: ROOT });
    expect([made.code, made.err]).toEqual([0, ""]);
  });
  afterAll(() => shop.stop(true));

  test("has an archive, a package, the parts, the licences, the script, and the digests of all", () => {
    const processor = process.arch === "x64" ? "amd64" : "arm64";
    expect(readdirSync(out).toSorted()).toEqual(
      [
        "LICENSES.txt",
        "SHA256SUMS",
        "docket.cdx.json",
        "install.sh",
        `${NAME}.tar.gz`,
        `docket_${VERSION}_${processor}.deb`,
      ].toSorted(),
    );
    const sums = readFileSync(join(out, "SHA256SUMS"), "utf8").trim().split("\n");
    expect(sums).toHaveLength(5);
    for (const line of sums) {
      const [sum, name = ""] = line.split("  ");
      expect(new Bun.SHA256().update(readFileSync(join(out, name))).digest("hex")).toBe(`${sum}`);
    }
  });

  test.skipIf(Bun.which("dpkg-deb") === null)("is a package that dpkg can unpack", async () => {
    const [deb = ""] = [...new Bun.Glob("*.deb").scanSync({ cwd: out, absolute: true })];
    const about = await run(["dpkg-deb", "--info", deb], []);
    expect(about.code).toBe(0);
    expect(about.out).toContain(` Version: ${VERSION}\n`);
    const place = testDirectory();
    expect((await run(["dpkg-deb", "--extract", deb, place], [])).code).toBe(0);
    const version = await run([join(place, "usr/bin/docket")], ["version"]);
    expect(version.out).toBe(`docket ${VERSION}\n`);
    const unit = readFileSync(join(place, "lib/systemd/system/docket.service"), "utf8");
    expect(unit).toContain("ExecStart=/usr/bin/docket serve\n");
  });

  const install = (prefix: string) =>
    run(["sh", join(out, "install.sh")], [], { env: { PREFIX: prefix } });

  test("is installed by its script, and serves", async () => {
    const prefix = testDirectory();
    const { code, out: said } = await install(prefix);
    const program = join(prefix, "bin/docket");
    expect(code).toBe(0);
    expect(said).toContain(`docket ${VERSION} is at ${program}.\n`);
    const server = await serve([program], ["--data", testDirectory(), "--log", "off"]);
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
    // An upgrade replaces the file of a server that runs.
    expect((await install(prefix)).code).toBe(0);
    expect(await server.stop()).toBe(0);
  });

  test("is not installed if it is not the one that the digests name, or cannot be fetched", async () => {
    for (const name of [`${NAME}.tar.gz`, "SHA256SUMS"]) {
      spoiled = name;
      const prefix = testDirectory();
      const { code, err } = await install(prefix);
      expect([code, err]).toEqual([1, expect.stringContaining("Nothing was installed.")]);
      expect(existsSync(join(prefix, "bin"))).toBe(false);
    }
    spoiled = "";
    writeFileSync(
      join(out, "other.sh"),
      readFileSync(join(out, "install.sh"), "utf8").replaceAll(
        shop.url.origin,
        "http://127.0.0.1:9",
      ),
    );
    const { code, err } = await run(["sh", join(out, "other.sh")], []);
    expect([code, err]).toEqual([1, expect.stringContaining("cannot be fetched")]);
  });
});
