import { DOCKET } from "./docket.ts";
import { run } from "./program.ts";

/**
 * The revisions of MCP: the current one, which sends its version with every message, and the last
 * one before it.
 */
export const CURRENT = "2026-07-28";
export const LAST = "2025-11-25";

/** What every message of the current revision carries. */
export const ENVELOPE = {
  "io.modelcontextprotocol/protocolVersion": CURRENT,
  "io.modelcontextprotocol/clientInfo": { name: "helper", version: "1.0" },
  "io.modelcontextprotocol/clientCapabilities": {},
};

export const request = (id: number | string, method: string, params: object = {}) => ({
  jsonrpc: "2.0",
  id,
  method,
  params,
});

/** A request of the current revision. */
export const currentRequest = (id: number | string, method: string, params: object = {}) =>
  request(id, method, { ...params, _meta: ENVELOPE });

export const initialize = (id: number | string = 1) =>
  request(id, "initialize", {
    protocolVersion: LAST,
    capabilities: {},
    clientInfo: { name: "helper", version: "1.0" },
  });

/** An error that `docket mcp` itself answers, with the default code unless another is given. */
export const errorOf = (
  id: number | string | null,
  message: string,
  data?: object,
  code: number = -32_603,
) => ({ jsonrpc: "2.0", id, error: { code, message, ...(data === undefined ? {} : { data }) } });

/**
 * Gives `docket mcp` these lines and then the end of input. Returns what it wrote until it ended.
 */
export const askOnLines = async (
  env: Readonly<Record<string, string>>,
  lines: readonly (object | string)[],
) => {
  const texts = lines.map((line) => (typeof line === "string" ? line : JSON.stringify(line)));
  const input = texts.join("\n");
  const { code, out, err } = await run(DOCKET, ["mcp"], { env, input });
  const replies = out.split("\n").filter(Boolean).map(parsed);
  return {
    code,
    err,
    out,
    replies,
    answerTo: (id: unknown) => replies.find((one) => one.id === id),
  };
};

// The tests read replies of many shapes.
// oxlint-disable-next-line typescript/no-explicit-any
const parsed = (line: string): any => JSON.parse(line);
