import type { Grown } from "./_growth.ts";

/** Waits until the index has everything of an account: until then, searches are refused. */
export const indexed = async ({ url, owner: { session } }: Pick<Grown, "owner" | "url">) => {
  const headers = { authorization: `Bearer ${session}` };
  while ((await fetch(`${url}/api/public/v1/tasks?q=zebra`, { headers })).status === 503)
    await Bun.sleep(500);
};
