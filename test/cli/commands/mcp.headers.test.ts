import { describe, expect, test } from "bun:test";
import { VERSION } from "../../../src/domain/base/release.ts";
import { askOnLines, currentRequest, initialize, LAST, request } from "../../support/bridge.ts";
import { DOCKET } from "../../support/docket.ts";
import { plainEnvironment } from "../../support/program.ts";
import { echo, environment } from "../../support/stranger.ts";

const heardOf = async (...lines: readonly object[]) => {
  const { url, heard } = echo(() => ({ protocolVersion: LAST }));
  for (const line of lines) await askOnLines(environment(url), [line]);
  return heard.map(({ headers }) =>
    Object.fromEntries(
      ["mcp-protocol-version", "mcp-method", "mcp-name", "user-agent"].map((name) => [
        name,
        headers.get(name),
      ]),
    ),
  );
};

const CURRENT_SAYS = {
  "mcp-protocol-version": "2026-07-28",
  "mcp-method": "tools/call",
  "user-agent": `docket-mcp/${VERSION} (helper 1.0)`,
};

describe("the headers that docket mcp sends", () => {
  test.each([
    ["a name", "list_folders", "list_folders"],
    ["a name with a space in it", "who am i", "who am i"],
    ["a name that is not ASCII", "löschen", "=?base64?bMO2c2NoZW4=?="],
    ["a name with a line break", "a\r\nx-evil: 1", "=?base64?YQ0KeC1ldmlsOiAx?="],
    ["a name that looks encoded", "=?base64?YQ==?=", "=?base64?PT9iYXNlNjQ/WVE9PT89?="],
    ["no name", undefined, null],
  ])(
    "in the current revision, carry %s as the server expects it",
    async (_what, name, expected) => {
      const call = currentRequest(1, "tools/call", { name });
      expect(await heardOf(call)).toEqual([{ ...CURRENT_SAYS, "mcp-name": expected }]);
    },
  );

  test("in older revisions, carry the version and the client that initialize agreed on", async () => {
    const { url, heard } = echo(() => ({ protocolVersion: LAST }));
    const child = Bun.spawn([...DOCKET, "mcp"], {
      env: plainEnvironment(environment(url)),
      stdin: "pipe",
      stdout: "pipe",
    });
    const out = child.stdout.getReader();
    for (const line of [initialize(), request(2, "tools/list")]) {
      child.stdin.write(`${JSON.stringify(line)}\n`);
      await child.stdin.flush();
      await out.read();
    }
    await child.stdin.end();
    expect(await child.exited).toBe(0);
    expect(heard.map(({ headers }) => headers.get("mcp-protocol-version"))).toEqual([null, LAST]);
    expect(heard.map(({ headers }) => headers.get("user-agent"))).toEqual([
      `docket-mcp/${VERSION}`,
      `docket-mcp/${VERSION} (helper 1.0)`,
    ]);
    expect(heard.map(({ headers }) => headers.get("mcp-method"))).toEqual([null, null]);
  });

  test("the message itself is passed on byte for byte", async () => {
    const { url, heard } = echo(() => ({}));
    const line = '{ "method":"ping","id" :1, "jsonrpc":"2.0", "x": 12345678901234567890 }';
    await askOnLines(environment(url), [line]);
    expect(heard.map(({ body }) => body)).toEqual([line]);
  });
});
