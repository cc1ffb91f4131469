import { must, refused, wants } from "../expect.ts";
import { Skipped } from "../faults.ts";
import { checksOf } from "../check.ts";
import type { Answer } from "../client.ts";

/** More requests than this are not sent. A server's owner may have set a higher limit. */
const MOST = 1_000;

const number = (text: string | null, pattern: RegExp): number =>
  Number(pattern.exec(text ?? "")?.[1] ?? Number.NaN);

const policy = ({ headers }: Answer): number =>
  number(headers.get("ratelimit-policy"), /"minute";q=(\d+);w=60/);

const remaining = ({ headers }: Answer): number =>
  number(headers.get("ratelimit"), /"minute";r=(\d+)/);

export const LIMITS = checksOf("rate limit", ["key"], {
  "Replies to a key say what is left of its minute and hour": async ({ call }) => {
    const [first, second] = [await call("key", "GET", "/me"), await call("key", "GET", "/me")];
    for (const answer of [first, second]) {
      wants(answer, 200);
      must(policy(answer) > 0, "A reply to a key has no RateLimit-Policy with a minute.");
      must(remaining(answer) >= 0, "A reply to a key has no RateLimit with a minute.");
    }
    const fell = remaining(second) < remaining(first);
    must(fell, "RateLimit says that a request took nothing.");
  },

  // Comes last: afterwards, the key is refused for a minute.
  "More requests than a minute allows answer 429 with Retry-After": async ({ call }) => {
    const stated = policy(await call("key", "GET", "/me"));
    const limit = Number.isNaN(stated) ? 60 : stated;
    if (limit > MOST)
      throw new Skipped(`This server allows ${limit} requests a minute: too many to try.`);
    let answer = await call("key", "GET", "/me", { impatient: true });
    for (let n = 0; n <= limit && answer.status === 200; n++)
      answer = await call("key", "GET", "/me", { impatient: true });
    must(answer.status !== 200, `${limit + 2} requests in a row were all admitted.`);
    refused(answer, 429);
    const seconds = answer.headers.get("retry-after");
    must(/^[1-9]\d*$/.test(seconds ?? ""), `Retry-After is ${seconds}, not a number of seconds.`);
    wants(await call("session", "GET", "/me"), 200);
  },
});
