import type { MassDeletion } from "../../db/history/mass-deletions.ts";
import { type Names, whoIs } from "../../domain/history/event.ts";
import { Doer } from "../ui/sentence.tsx";
import { Time } from "../ui/time.tsx";

type BannerProps = { readonly of: MassDeletion; readonly names: Names };

/** A push deleted a great deal at once. Anyone who did not mean to can restore it here. */
export const DeletionBanner = ({ of: deletion, names }: BannerProps) => (
  <div class="problem banner" role="status">
    <p>
      On <Time at={deletion.at} />, <Doer of={whoIs("session", deletion.sessionId, names)} />{" "}
      deleted {deletion.records} tasks and folders at once.
    </p>
    <form method="post" action={`/account/deleted/${deletion.id}/restore`}>
      <button class="main">Restore all of them</button>
    </form>
  </div>
);
