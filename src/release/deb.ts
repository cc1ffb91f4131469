import { gzipSync } from "node:zlib";

/** A file of a package: its path from the root, its bytes and its mode. */
export type PackageFile = {
  readonly path: string;
  readonly bytes: Uint8Array;
  readonly mode: number;
};

/** A member of an archive in Debian's form (deb(5)), which is one of ar(5). `at` is in seconds. */
const ar = (
  members: readonly { readonly name: string; readonly bytes: Uint8Array }[],
  at: number,
): Uint8Array => {
  const parts = members.flatMap(({ name, bytes }) => [
    Buffer.from(
      `${name.padEnd(16)}${String(at).padEnd(12)}${"0".padEnd(6)}${"0".padEnd(6)}${"100644".padEnd(8)}${String(bytes.length).padEnd(10)}\`\n`,
    ),
    bytes,
    Buffer.from(bytes.length % 2 === 1 ? "\n" : ""),
  ]);
  return Buffer.concat([Buffer.from("!<arch>\n"), ...parts]);
};

const BLOCK = 512;

const octal = (value: number, length: number): string =>
  `${value.toString(8).padStart(length - 1, "0")}\0`;

const header = (path: string, size: number, mode: number, type: "0" | "5", at: number): Buffer => {
  if (Buffer.byteLength(path) > 100) throw new Error(`${path} is too long for an archive.`);
  const block = Buffer.alloc(BLOCK);
  block.write(path, 0);
  block.write(octal(mode, 8) + octal(0, 8) + octal(0, 8), 100);
  block.write(octal(size, 12) + octal(at, 12), 124);
  block.write(" ".repeat(8) + type, 148);
  block.write("ustar\u000000root", 257);
  block.write("root", 297);
  const sum = block.reduce((total, byte) => total + byte, 0);
  block.write(`${octal(sum, 7)} `, 148);
  return block;
};

/** The directories above all files, each once, the outer ones first. */
const directoriesOf = (files: readonly PackageFile[]): readonly string[] => {
  const all = new Set<string>();
  for (const { path } of files) {
    const names = path.split("/").slice(0, -1);
    for (let depth = 1; depth <= names.length; depth += 1) all.add(names.slice(0, depth).join("/"));
  }
  return [...all].toSorted();
};

/** An archive (tar, gzip) in which everything belongs to root and is from `at`, in seconds: the same files give the same bytes. */
export const tarball = (files: readonly PackageFile[], at: number, prefix = ""): Uint8Array => {
  const sorted = files.toSorted((a, b) => (a.path < b.path ? -1 : 1));
  const blocks = [
    ...(prefix === "" ? [] : [header(prefix, 0, 0o755, "5", at)]),
    ...directoriesOf(sorted).map((path) => header(`${prefix}${path}/`, 0, 0o755, "5", at)),
    ...sorted.flatMap(({ path, bytes, mode }) => [
      header(`${prefix}${path}`, bytes.length, mode, "0", at),
      bytes,
      Buffer.alloc((BLOCK - (bytes.length % BLOCK)) % BLOCK),
    ]),
    Buffer.alloc(2 * BLOCK),
  ];
  return gzipSync(Buffer.concat(blocks), { level: 9 });
};

const SCRIPTS = {
  postinst: `#!/bin/sh
set -e
if [ "$1" = configure ] && [ -d /run/systemd/system ]; then
	systemctl daemon-reload
	if [ -z "$2" ]; then
		systemctl enable --now docket.service
		echo "Docket serves http://127.0.0.1:3625. Become its owner: docket owner link --data /var/lib/docket"
	else
		systemctl try-restart docket.service
	fi
fi
`,
  prerm: `#!/bin/sh
set -e
if [ "$1" = remove ] && [ -d /run/systemd/system ]; then
	systemctl disable --now docket.service
fi
`,
  postrm: `#!/bin/sh
set -e
if [ "$1" = remove ] && [ -d /run/systemd/system ]; then
	systemctl daemon-reload
fi
if [ "$1" = purge ]; then
	echo "The data stay in /var/lib/private/docket. Remove that directory yourself if nobody needs them."
fi
`,
} as const;

const text = (path: string, content: string, mode: number): PackageFile => ({
  path,
  bytes: Buffer.from(content),
  mode,
});

type Described = { readonly version: string; readonly processor: string; readonly at: number };

/** The project has no address of its own. */
export const MAINTAINER = "Docket <docket@localhost>";

/** A package for Debian and its relatives. It starts the server as a service, and leaves the data when it is removed. */
export const debianPackage = (
  files: readonly PackageFile[],
  { version, processor, at }: Described,
): Uint8Array => {
  const size = files.reduce((sum, { bytes }) => sum + Math.ceil(bytes.length / 1024), 0);
  const control = [
    "Package: docket",
    `Version: ${version}`,
    `Architecture: ${processor}`,
    `Maintainer: ${MAINTAINER}`,
    `Installed-Size: ${size}`,
    "Depends: libc6 (>= 2.31)",
    "Recommends: libnss-systemd",
    "Section: web",
    "Priority: optional",
    "Description: tasks, and the browser tabs saved in them",
    " Docket is a server for one person or a few: it keeps tasks, the browser tabs",
    " saved in them, notes and folders. A browser extension syncs with it, and",
    " scripts and AI agents use it with API keys, with which nothing can be deleted.",
    "",
  ].join("\n");
  const sums = files
    .map(
      ({ path, bytes }) => `${new Bun.CryptoHasher("md5").update(bytes).digest("hex")}  ${path}\n`,
    )
    .toSorted((a, b) => (a.slice(34) < b.slice(34) ? -1 : 1))
    .join("");
  const about = [
    text("control", control, 0o644),
    text("md5sums", sums, 0o644),
    ...Object.entries(SCRIPTS).map(([name, script]) => text(name, script, 0o755)),
  ];
  return ar(
    [
      { name: "debian-binary", bytes: Buffer.from("2.0\n") },
      { name: "control.tar.gz", bytes: tarball(about, at, "./") },
      { name: "data.tar.gz", bytes: tarball(files, at, "./") },
    ],
    at,
  );
};
