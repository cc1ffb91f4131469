import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { parseArgs } from "node:util";
import manifest from "../../package.json" with { type: "json" };
import { debianPackage, MAINTAINER, type PackageFile, tarball } from "./deb.ts";
import install from "./install.txt" with { type: "text" };
import { type Target, TARGETS } from "./targets.ts";

// Makes a release in dist/release: an archive for each target, packages for Debian, the list of parts, the script that
// installs, and the digests of all of them. `bun run release linux-x64 --from https://… ` makes one target alone, and names
// the address from which the script fetches. The same commit gives the same bytes.

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    from: { type: "string", default: "https://docket.example.org/releases" },
    out: { type: "string", default: "dist/release" },
  },
});

const { version } = manifest;
const BUN = manifest.engines.bun;

const run = (...words: readonly string[]): string => {
  const { exitCode, stdout, stderr } = Bun.spawnSync([...words]);
  if (exitCode !== 0) throw new Error(`${words.join(" ")}: ${String(stderr)}`);
  return String(stdout);
};

const say = (line: string): void => void process.stdout.write(`${line}\n`);

/** When the commit was made, in seconds: the time of every file in a release. */
const AT = Number(process.env["SOURCE_DATE_EPOCH"] ?? run("git", "log", "-1", "--format=%ct"));

/** Fetches Bun's runtime for a target, unless an earlier release has, and checks it. Returns the path of its executable. */
const runtimeOf = async ({ runtime, integrity }: Target): Promise<string> => {
  const folder = join("dist/runtimes", runtime.replace("@oven/", ""));
  const executable = join(folder, "bun");
  const packed = join(folder, "package.tgz");
  mkdirSync(folder, { recursive: true });
  if (!existsSync(packed)) {
    const name = run("npm", "pack", "--silent", "--pack-destination", folder, `${runtime}@${BUN}`);
    renameSync(join(folder, name.trim()), packed);
  }
  const bytes = readFileSync(packed);
  const found = `sha512-${new Bun.CryptoHasher("sha512").update(bytes).digest("base64")}`;
  if (found !== integrity)
    throw new Error(`${packed} is not the runtime that is expected: ${found}`);
  await Bun.write(executable, fileIn(gunzipSync(bytes), "package/bin/bun"));
  chmodSync(executable, 0o755);
  return executable;
};

/** The bytes of one file in an archive (tar). */
const fileIn = (archive: Buffer, path: string): Uint8Array => {
  for (let at = 0; at < archive.length;) {
    const [name = ""] = archive.toString("latin1", at, at + 100).split("\0");
    const size = Number.parseInt(archive.toString("latin1", at + 124, at + 136), 8) || 0;
    if (name === path) return archive.subarray(at + 512, at + 512 + size);
    at += 512 + Math.ceil(size / 512) * 512;
  }
  throw new Error(`There is no ${path} in the package.`);
};

/** Compiles with the command that `bun run build` has. The file must be called docket: its name goes into its bytes. */
const compile = (target: Target, runtime: string): Uint8Array => {
  const file = join("dist/targets", target.name, "docket");
  const more = `--target=${target.bun} --compile-executable-path ${runtime} --outfile ${file}`;
  run("sh", "-c", manifest.scripts.build.replace("--outfile dist/docket", more));
  return readFileSync(file);
};

const printed = (...words: readonly string[]): Uint8Array =>
  Buffer.from(
    run("dist/docket", ...words).replaceAll(join(process.cwd(), "dist/docket"), "/usr/bin/docket"),
  );

const file = (path: string, bytes: Uint8Array, mode = 0o644): PackageFile => ({
  path,
  bytes,
  mode,
});
const zipped = (bytes: Uint8Array): Uint8Array => gzipSync(bytes, { level: 9 });

const man = printed("print", "man");
const unit = printed("print", "systemd");
const completions = {
  bash: printed("print", "completion", "bash"),
  zsh: printed("print", "completion", "zsh"),
  fish: printed("print", "completion", "fish"),
};
const licences = printed("licenses");
const changes = readFileSync("src/reference/guides/changelog.md");

const archiveOf = (executable: Uint8Array, folder: string): Uint8Array =>
  tarball(
    [
      file("docket", executable, 0o755),
      file("LICENSE", readFileSync("LICENSE")),
      file("LICENSES.txt", licences),
      file("CHANGELOG.md", changes),
      file("docket.1", man),
      file("completions/docket.bash", completions.bash),
      file("completions/_docket", completions.zsh),
      file("completions/docket.fish", completions.fish),
    ],
    AT,
    `${folder}/`,
  );

const COPYRIGHT = `${readFileSync("LICENSE", "utf8")}
The licences of everything that the executable is built from are in LICENSES.txt.gz, beside this file.
`;

/** Debian's form of a changelog, which names the version alone. */
const CHANGES = `docket (${version}) unstable; urgency=medium

  * What this version brought is in NEWS.gz, beside this file.

 -- ${MAINTAINER}  ${new Date(AT * 1000).toUTCString().replace("GMT", "+0000")}
`;

/** Where this package differs from what lintian expects, and why. */
const OVERRIDES = `# The program is at the end of the executable, behind its symbols: stripping it would remove the program.
docket: unstripped-binary-or-object [usr/bin/docket]
# Bun's runtime is linked so.
docket: hardening-no-pie [usr/bin/docket]
docket: hardening-no-relro [usr/bin/docket]
docket: embedded-library *
# The package is made without debhelper, and the project has no address of its own.
docket: maintainer-script-calls-systemctl *
docket: bogus-mail-host *
docket: bogus-mail-host-in-debian-changelog *
`;

const debianOf = (executable: Uint8Array, processor: string): Uint8Array =>
  debianPackage(
    [
      file("usr/bin/docket", executable, 0o755),
      file("lib/systemd/system/docket.service", unit),
      file("usr/share/man/man1/docket.1.gz", zipped(man)),
      file("usr/share/bash-completion/completions/docket", completions.bash),
      file("usr/share/zsh/vendor-completions/_docket", completions.zsh),
      file("usr/share/fish/vendor_completions.d/docket.fish", completions.fish),
      file("usr/share/doc/docket/copyright", Buffer.from(COPYRIGHT)),
      file("usr/share/doc/docket/LICENSES.txt.gz", zipped(licences)),
      file("usr/share/doc/docket/changelog.gz", zipped(Buffer.from(CHANGES))),
      file("usr/share/doc/docket/NEWS.gz", zipped(changes)),
      file("usr/share/lintian/overrides/docket", Buffer.from(OVERRIDES)),
    ],
    { version, processor, at: AT },
  );

const made: [name: string, bytes: Uint8Array][] = [];
const unknown = positionals.find((name) => !TARGETS.some((target) => target.name === name));
if (unknown !== undefined)
  throw new Error(`There is no target ${unknown}: ${TARGETS.map(({ name }) => name).join(", ")}.`);
for (const target of TARGETS) {
  if (positionals.length > 0 && !positionals.includes(target.name)) continue;
  const begun = performance.now();
  const executable = compile(target, await runtimeOf(target));
  const folder = `docket-${version}-${target.name}`;
  made.push([`${folder}.tar.gz`, archiveOf(executable, folder)]);
  if (target.debian !== null)
    made.push([`docket_${version}_${target.debian}.deb`, debianOf(executable, target.debian)]);
  say(`${target.name}: ${Math.round(performance.now() - begun)} ms`);
}
made.push(
  ["docket.cdx.json", readFileSync("dist/docket.cdx.json")],
  ["LICENSES.txt", licences],
  [
    "install.sh",
    Buffer.from(
      install
        .replaceAll("{{VERSION}}", version)
        .replaceAll("{{FROM}}", values.from)
        .replaceAll("{{BUN}}", BUN),
    ),
  ],
);
const sums = made
  .map(([name, bytes]) => `${new Bun.SHA256().update(bytes).digest("hex")}  ${name}\n`)
  .join("");
rmSync(values.out, { recursive: true, force: true });
for (const [name, bytes] of made) await Bun.write(join(values.out, name), bytes);
await Bun.write(join(values.out, "SHA256SUMS"), sums);
say(`${values.out}:\n${sums}`);
