/** A key that works on a task. */
export type Claim = {
  readonly task_id: string;
  readonly by_key: string;
  /** ISO text. */
  readonly until: string;
};

/** Who works on which task. It is no part of any record, and is asked for where it is shown. */
export type Claims = {
  /** Returns the claim on a task; null without one, or if the server cannot be asked. */
  readonly of: (taskId: string) => Promise<Claim | null>;
  /** Ends the claim on a task. Returns whether the server could be asked. */
  readonly end: (taskId: string) => Promise<boolean>;
};

type Request = (path: string, init: RequestInit) => Promise<Response>;

export const openClaims = (request: Request): Claims => ({
  of: async (taskId) => {
    try {
      const reply = await request("/claims", {});
      if (!reply.ok) return null;
      const { claims } = (await reply.json()) as { readonly claims: readonly Claim[] };
      return claims.find(({ task_id }) => task_id === taskId) ?? null;
    } catch {
      return null;
    }
  },
  end: async (taskId) => {
    const headers = { "content-type": "application/json" };
    const path = `/claims/${encodeURIComponent(taskId)}/release`;
    try {
      return (await request(path, { method: "POST", headers, body: "{}" })).ok;
    } catch {
      return false;
    }
  },
});
