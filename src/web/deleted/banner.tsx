import type { MassDeletion } from "../../db/history/mass-deletions.ts";
import { type Names, whoIs } from "../../domain/history/event.ts";
import { Doer } from "../ui/sentence.tsx";
import { Time } from "../ui/time.tsx";

type BannerProps = { readonly of: MassDeletion; readonly names: Names };

/** A push deleted very much at once: whoever did not mean it has the way back here. */
export const DeletionBanner = ({ of: deletion, names }: BannerProps) => (
  <div class="problem banner" role="status">
    <p>
      <Doer of={whoIs("session", deletion.sessionId, names)} /> deleted {deletion.records} tasks and
      folders at once: <Time at={deletion.at} />.
    </p>
    <form method="post" action={`/account/deleted/${deletion.id}/restore`}>
      <button class="main">Restore all of them</button>
    </form>
  </div>
);
