import { listInvitations } from "../../db/people/invitations.ts";
import { readSpace } from "../../db/disk-space.ts";
import { bytesOf, isLate, newestDaily } from "../../domain/backups/kept.ts";
import { isLow } from "../../domain/base/disk-space.ts";
import type { Instant } from "../../domain/base/instant.ts";
import { VERSION } from "../../domain/base/release.ts";
import type { BackupState } from "../../server/backups.ts";
import type { Warning } from "../../server/log.ts";
import type { SignedInContext } from "../shared/page.ts";
import { html, type PageReply } from "../shared/reply.tsx";
import { Notice } from "../ui/fields.tsx";
import { Layout } from "../ui/layout.tsx";
import { bytes, count, Shown, Time } from "../ui/parts.tsx";
import { InvitationSection } from "./invite.tsx";
import { PeopleSection, readPeople, refuseOthers } from "./people.tsx";
import { SizeFigure } from "./sizes.tsx";

/** What was just done, as the page reports it after the redirect. */
const DONE = new Map(
  Object.entries({
    withdrawn: "The invitation is withdrawn. Its link no longer works.",
    disabled: "The account is disabled. Nothing in it is deleted.",
    enabled: "The account is enabled. Its devices and API keys work again.",
  }),
);

/** `GET /account/server`: for its owner: who uses the server, and how it is. */
export const getServer = async (context: SignedInContext): Promise<PageReply> => {
  refuseOthers(context);
  const { store, service, who, now, query } = context;
  const done = DONE.get(query.get("done") ?? "");
  const people = await readPeople(context);
  const invitations = await listInvitations(store, who.account.id, now);
  const backups = service.backups?.state() ?? null;
  return html(
    <Layout title="Server" account={who.account} at="/account/server">
      {done !== undefined && <Notice>{done}</Notice>}
      <HealthSection directory={store.directory} />
      {backups ? <BackupSection {...backups} now={now} /> : <NoBackups />}
      <WarningSection warnings={service.log.recent()} />
      <PeopleSection people={people} />
      <InvitationSection invitations={invitations} />
    </Layout>,
  );
};

const HealthSection = ({ directory }: { readonly directory: string }) => {
  const space = readSpace(directory);
  return (
    <section>
      <h2>Health</h2>
      <p>
        Docket {VERSION} has run since <Time at={Date.now() - process.uptime() * 1000} />.
      </p>
      {space !== null && (
        <p class={isLow(space) ? "problem" : undefined}>
          The disk with the data has {bytes(space.free)} of {bytes(space.total)} free.
          {isLow(space) && " Free some space before writes fail."}
        </p>
      )}
      <p>
        <code>docket doctor</code>, on the server's machine, looks for more, and says how to mend
        what it finds.
      </p>
    </section>
  );
};

/** Age, size and outcome of the newest copy. */
export const LastBackup = ({
  copies,
  failure,
  away,
  drill,
  now,
}: BackupState & { readonly now: Instant }) => {
  const last = newestDaily(copies);
  return (
    <>
      {failure !== null && <p class="problem">The last backup could not be made. {failure}</p>}
      {away?.failure && <p class="problem">{away.failure}</p>}
      {drill?.failure && (
        <p class="problem">
          A restore of the newest backup was tried out, and failed. {drill.failure}
        </p>
      )}
      {last === undefined ? (
        <p>The server makes a backup every day. There is none yet.</p>
      ) : (
        <p class={isLate(last, now) ? "problem" : undefined}>
          Last backup: <Time at={last.at} />, {bytes(last.bytes)}.
          {copies.length > 1 &&
            ` Together, ${count(copies.length, "backup")} take ${bytes(bytesOf(copies))}.`}
        </p>
      )}
    </>
  );
};

const Away = ({ address, last, failure }: NonNullable<BackupState["away"]>) => (
  <p>
    {last === null || failure !== null
      ? `The server sends its copies to ${address} as well.`
      : `The newest copy is at ${address} as well.`}
  </p>
);

const BackupSection = (state: BackupState & { readonly now: Instant }) => {
  const { directory, copies, away, drill } = state;
  return (
    <section>
      <h2>Backups</h2>
      <LastBackup {...state} />
      <div class="chart">
        <SizeFigure copies={copies} />
      </div>
      {away !== null && <Away {...away} />}
      {drill?.at != null && (
        <p>
          A restore was tried out with success: <Time at={drill.at} />.
        </p>
      )}
      <p>
        They are in <code>{directory}</code>.
        {away === null &&
          " Copy them to another machine as well: a disk that breaks takes both. --backups-s3 sends them to a bucket."}
      </p>
    </section>
  );
};

const NoBackups = () => (
  <section>
    <h2>Backups</h2>
    <p>
      This server makes no backups by itself. If nothing else copies the data, a disk that breaks
      takes them all.
    </p>
  </section>
);

const WarningSection = ({ warnings }: { readonly warnings: readonly Warning[] }) => (
  <section>
    <h2>Warnings</h2>
    {warnings.length === 0 ? (
      <p>The server has had nothing to warn of since its start.</p>
    ) : (
      <ul>
        {warnings.map(({ at, level, text }) => (
          <li key={`${at} ${text}`} class={level === "error" ? "problem" : undefined}>
            <Time at={at} />: <Shown text={text} />
          </li>
        ))}
      </ul>
    )}
  </section>
);
