import { expect } from "bun:test";
import { chmodSync, copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { DOCKET } from "../support/docket.ts";
import { run } from "../support/program.ts";
import { asRoot, testWith } from "../support/faults/needs.ts";
import { freePort } from "../support/postgres.ts";
import { until } from "../support/replies.ts";
import { testDirectory } from "../support/server.ts";

const [USER, GROUPS] = ["--userspec=65532:65532", "--groups="];

// There is no Docker here: the image that `docket print docker` describes is unpacked by hand, and run as it says.

testWith(
  ["root"],
  "the image of the C library and Docket alone serves, without root, and its health check answers",
  async () => {
    const image = testDirectory();
    const recipe = (await run(DOCKET, ["print", "docker"])).out;
    const at = (path: string): string => join(image, path);
    for (const folder of ["proc", "dev", "tmp", "data", "usr/local/bin"])
      mkdirSync(at(folder), { recursive: true });
    // What the base has.
    const linked = (await run(["ldd", `${DOCKET[0]}`], [])).out;
    for (const [library] of linked.matchAll(/\/\S+/g)) {
      mkdirSync(dirname(at(library)), { recursive: true });
      copyFileSync(library, at(library));
    }
    writeFileSync(at("dev/null"), "");
    expect(recipe).toContain("COPY --chmod=755 docket /usr/local/bin/docket\n");
    copyFileSync(`${DOCKET[0]}`, at("usr/local/bin/docket"));
    // This process may make everything its own user's alone.
    root("chmod", "-R", "755", image);
    chmodSync(at("tmp"), 0o1777);
    expect(recipe).toContain("RUN install -d -o 65532 -g 65532 -m 700 /data\n");
    chmodSync(at("data"), 0o700);
    root("chown", "65532:65532", at("data"));

    const port = freePort();
    const [, given = ""] = /^ENV (.*)$/m.exec(recipe) ?? [];
    const env = given.replace("DOCKET_PORT=3625", `DOCKET_PORT=${port}`).split(" ");
    root("mount", "-t", "proc", "proc", at("proc"));
    root("mount", "--bind", "/dev/null", at("dev/null"));
    const inside = (...words: readonly string[]): string[] =>
      asRoot.concat(
        "env",
        "-i",
        "PATH=/usr/sbin:/usr/bin:/sbin:/bin",
        env,
        "chroot",
        USER,
        GROUPS,
        image,
        words,
      );
    const server = Bun.spawn(inside("/usr/local/bin/docket", "serve"), {
      stdout: "ignore",
      stderr: "ignore",
    });
    try {
      const health = (): number =>
        Bun.spawnSync(inside("/usr/local/bin/docket", "healthcheck")).exitCode;
      await until(() => health() === 0 || server.exitCode !== null);
      expect((await fetch(`http://127.0.0.1:${port}/healthz`)).status).toBe(200);
    } finally {
      server.kill();
      await server.exited;
      root("umount", "--lazy", at("proc"));
      root("umount", "--lazy", at("dev/null"));
    }
    expect(server.exitCode).toBe(0);
  },
);

const root = (...words: readonly string[]) =>
  Bun.spawnSync([...asRoot, ...words], { stderr: "inherit" });
