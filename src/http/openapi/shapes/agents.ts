import { Type } from "@sinclair/typebox";
import { oneOf, orNull, RecordId, ref, time } from "./parts.ts";

/** Changes and claims as REST shows them. */
export const AGENTS = {
  ChangedRecord: Type.Object(
    {
      type: oneOf(["task", "folder"]),
      id: RecordId,
      state: oneOf(["open", "closed", "gone"]),
      new: Type.Boolean({ description: "Whether it was created after `since`." }),
      by: Type.Unsafe<string | null>({
        type: ["string", "null"],
        enum: ["person", "agent", null],
        description: "Who changed it last, if that is known.",
      }),
      by_key: orNull(Type.String({ description: "The name of the key that changed it last." })),
      at: time("When it changed, by the server's clock."),
      task: orNull(ref("TaskRow")),
    },
    { description: "A record that changed, as it is now." },
  ),
  Changes: Type.Object({
    changes: Type.Array(ref("ChangedRecord")),
    server_time: time("Send it as the next `since`."),
    has_more: Type.Boolean({ description: "Whether there is more. Then ask again at once." }),
  }),
  Claim: Type.Object(
    {
      id: Type.String(),
      task_id: RecordId,
      by_key: Type.String({ description: "The name of the key that works on the task." }),
      until: time("When the claim ends by itself."),
    },
    { description: "A task that a key works on." },
  ),
  ClaimList: Type.Object({ claims: Type.Array(ref("Claim")) }),
  Claimed: Type.Object({ claim: orNull(ref("Claim")), task: orNull(ref("Task")) }),
  ClaimedReceipt: Type.Object(
    { claim: ref("Claim"), task: Type.Object({ id: RecordId }) },
    { description: "What a key without `read` gets: the claim, and the id of the task." },
  ),
  RenewedClaim: Type.Object({ claim: ref("Claim") }),
  ReleasedClaim: Type.Object({ released: orNull(ref("Claim")) }),
};
