import { fieldsOf, listed } from "../bench.ts";
import { must, refused, wants } from "../expect.ts";
import { checksOf } from "../check.ts";

export const IDEMPOTENCY = checksOf("retries", [], {
  "A write that is sent again with its Idempotency-Key happens once": async (bench) => {
    const headers = { "idempotency-key": `"${bench.mark}-once"` };
    const title = `${bench.mark} once`;
    const post = () => bench.call("session", "POST", "/tasks", { body: { title }, headers });
    const first = await post();
    wants(first, 201, { title });
    const { id } = fieldsOf(first.json);
    const again = await post();
    wants(again, 201, { id, title });
    const header = again.headers.get("idempotency-replayed");
    must(header === "true", `Idempotency-Replayed is ${header}, not true.`);
    const url = `https://example.org/${bench.mark}/once`;
    for (let n = 0; n < 2; n++)
      await bench.call("session", "POST", `/tasks/${id}/tabs`, {
        body: [{ url }],
        headers: { "idempotency-key": `"${bench.mark}-tab"` },
      });
    wants(await bench.call("session", "GET", `/tasks/${id}`), 200, { tabs: [{ url }] });
    must((await listed(bench, "limit=200")).includes(String(id)), "The task is not listed.");
  },

  "An Idempotency-Key with another body answers 422": async (bench) => {
    const headers = { "idempotency-key": `"${bench.mark}-other"` };
    const post = (name: string) =>
      bench.call("session", "POST", "/tasks", {
        body: { title: `${bench.mark} ${name}` },
        headers,
      });
    wants(await post("one"), 201);
    refused(await post("two"), 422);
  },
});
