import type { Row } from "./content.ts";

/** What sync answers to a pull, as far as devices of this API read it. */
export type PullReply = {
  readonly server_time: string;
  readonly epoch: string;
  readonly has_more: boolean;
  readonly changes: { readonly sync_tasks: readonly Row[] };
};

type Told = { readonly id: string; readonly reason?: string; readonly server_row: Row };

export type PushReply = {
  readonly revs: readonly { readonly id: string; readonly rev: string }[];
  readonly rejected: readonly Told[];
  readonly invalid: readonly unknown[];
};

export type Change = {
  readonly table: "sync_tasks";
  readonly id: string;
  readonly updated_at: string;
  readonly payload: unknown;
  readonly deleted_at?: string;
  readonly base_updated_at?: string;
  readonly base_rev?: string;
};

/** Sends one request below the API's base address. Null if what it asks for is not there (404). */
export const ask = async <Answer>(
  url: string,
  token: string,
  method: "GET" | "PATCH" | "POST",
  path: string,
  body?: unknown,
): Promise<Answer | null> => {
  const response = await fetch(`${url}/api/public/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (response.status === 404) {
    await response.arrayBuffer();
    return null;
  }
  if (!response.ok)
    throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
  return (await response.json()) as Answer;
};
