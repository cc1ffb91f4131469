import type { ComponentChildren } from "preact";
import { isPro } from "../domain/people/account.ts";
import { type ApiKey, isKeyLive } from "../domain/people/api-key.ts";
import { listKeys } from "../db/people/api-keys.ts";
import { readNames } from "../db/history/walk.ts";
import { type Begun, readBegun } from "../db/people/begun.ts";
import { countCalls } from "../db/calls/activity-pages.ts";
import { chartDays, KeyFigure, seriesOf } from "./activity/chart.tsx";
import { Icon } from "../ui/parts/marks.tsx";
import { readSpace, type Space } from "../db/history/quota.ts";
import { countDevices, type DeviceCount } from "../db/people/sessions.ts";
import { DAY } from "../domain/base/instant.ts";
import { LastBackup } from "./owner/page.tsx";
import type { SignedInContext } from "./shared/page.ts";
import { html, type PageReply, seeOther } from "./shared/reply.tsx";
import { readRefusedDelete, readUnanswered, RefusedDelete } from "./deleted/refused.tsx";
import { DeletionBanner } from "./deleted/deleted.tsx";
import { serverAddress } from "./devices/table.tsx";
import { bytes, count, Time } from "./ui/parts.tsx";
import { Layout } from "./ui/layout.tsx";

/** `GET /`: most people type the address without a path. It leads to their tasks, after signing in. */
export const getRoot = (): PageReply => seeOther("/tasks");

/** How long a push that deleted a great deal stays on the overview. */
const NEWS = 7 * DAY;

/** `GET /account`: recent warnings, what is connected, and the address to enter in the extension. */
export const getOverview = async (context: SignedInContext): Promise<PageReply> => {
  const { account } = context.who;
  const devices = await countDevices(context.store, account.id, context.now);
  const keys = await listKeys(context.store, account.id);
  const space = await readSpace(context.store, account.id);
  return html(
    <Layout title="Overview" account={account} at="/account">
      <RefusedDelete of={await readRefusedDelete(context)} keys={keys} />
      {await deletionsOf(context)}
      <p>
        <a class="button main" href="/tasks">
          Open your tasks
        </a>
      </p>
      <div class="parts">
        <FirstSteps {...await readBegun(context.store, account.id)} />
        <section>
          <h2>The extension</h2>
          <p>Enter this address in the extension, then sign in from there:</p>
          <p>
            <code class="copy">{serverAddress(context)}</code>
          </p>
          <Devices {...devices} />
        </section>
        <section>
          <h2>Scripts and agents</h2>
          <p>
            Scripts and AI agents use an API key. With one they can read, add and change tasks, but
            never delete anything.
          </p>
          {isPro(account, context.now) ? (
            <>
              <Keys live={keys.filter((key) => isKeyLive(key, context.now))} />
              {await weekOf(context, keys)}
            </>
          ) : (
            <p>
              API keys need the Pro plan, and your account is on the free plan.{" "}
              <a href="/account/keys">How to change the plan</a>
            </p>
          )}
        </section>
        <Kept {...space.history}>
          <Used {...space.records} />
        </Kept>
        {account.isOwner && (
          <section>
            <h2>The server</h2>
            {context.service.backups && (
              <LastBackup {...context.service.backups.state()} now={context.now} />
            )}
            <p>
              <a href="/account/server">View people, backups and warnings</a>
            </p>
          </section>
        )}
      </div>
    </Layout>,
  );
};

const deletionsOf = async (context: SignedInContext) => {
  const news = await readUnanswered(context, context.now - NEWS);
  if (news.length === 0) return null;
  const names = await readNames(context.store, context.who.account.id);
  return news.map((one) => <DeletionBanner key={one.id} of={one} names={names} />);
};

const Devices = ({ live, lastSyncAt }: DeviceCount) => (
  <p>
    {live === 0 ? "No device is signed in yet." : `${count(live, "device")} signed in.`}{" "}
    {lastSyncAt !== null && (
      <>
        Last sync: <Time at={lastSyncAt} />.{" "}
      </>
    )}
    <a href="/account/devices">{live === 0 ? "Connect a device" : "View devices"}</a>
  </p>
);

const Keys = ({ live }: { readonly live: readonly ApiKey[] }) => {
  const used = Math.max(...live.map(({ lastUsedAt }) => lastUsedAt ?? 0), 0);
  return (
    <p>
      {live.length === 0 ? "You have no API keys yet." : `${count(live.length, "active key")}.`}{" "}
      {used > 0 && (
        <>
          Last call: <Time at={used} />.{" "}
        </>
      )}
      {live.length === 0 ? (
        <a href="/account/keys/new">Create a key</a>
      ) : (
        <a href="/account/keys">View keys</a>
      )}
    </p>
  );
};

/** The keys that called most. The others are on the page of the activity. */
const MOST_KEYS = 3;

/** What the keys did in the last seven days, as pictures. */
const weekOf = async ({ store, who, now }: SignedInContext, keys: readonly ApiKey[]) => {
  const days = chartDays(now).slice(-7);
  const counts = await countCalls(store, who.account.id, days);
  const series = seriesOf(counts, new Map(keys.map((key) => [key.id, key])), days);
  if (series.length === 0) return null;
  return (
    <>
      <p>
        The last seven days, in UTC. <a href="/account/activity">View the activity</a>
      </p>
      {series.slice(0, MOST_KEYS).map((one, at) => (
        <KeyFigure
          key={one.name}
          id={`week-${at}`}
          of={one}
          days={days}
          most={Math.max(1, ...one.calls)}
        />
      ))}
    </>
  );
};

/** What is left to set up; nothing once all is done. */
const FirstSteps = ({ hasDevice, hasKey, hasImported }: Begun) => {
  const steps = [
    [hasDevice, "Connect a browser", "/account/devices"],
    [hasImported, "Bring what you have in other tools", "/account/import"],
    [hasKey, "Give an agent a key", "/account/keys/new"],
  ] as const;
  const done = steps.filter(([isDone]) => isDone).length;
  if (done === steps.length) return null;
  return (
    <section>
      <h2>
        Set-up: {done} of {steps.length}
      </h2>
      <ul class="steps">
        {steps.map(([isDone, name, path]) => (
          <li key={path}>
            <Icon name={isDone ? "circle-check" : "circle"} />
            {isDone ? <span class="done">{name}, done</span> : <a href={path}>{name}</a>}
          </li>
        ))}
      </ul>
    </section>
  );
};

type KeptProps = Space["history"] & { readonly children: ComponentChildren };

/** How much space the history uses, and how much it may use. */
const Kept = ({ size, share, children }: KeptProps) => (
  <section>
    <h2>Space and history</h2>
    {children}
    <meter min={0} max={share} value={Math.min(size, share)} aria-label="Space for the history" />
    <p>
      Docket keeps earlier versions and deleted items for 90 days, so that you can restore them.
      They use {bytes(size)} of {bytes(share)}. When that space is full, Docket removes the oldest
      versions first. What your API keys cause has space of its own.{" "}
      <a href="/account/deleted">View deleted items</a>
    </p>
  </section>
);

const Used = ({ size, quota }: Space["records"]) => (
  <p>
    Your tasks and folders use {bytes(size)}
    {quota === null ? "." : ` of the ${bytes(quota)} that this server gives each account.`}
    {quota !== null && (
      <meter min={0} max={quota} value={Math.min(size, quota)} aria-label="Space for your tasks" />
    )}
  </p>
);
