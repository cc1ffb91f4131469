import {
  listSessionPage,
  revokeSession,
  type SessionKind,
  type SessionPage,
} from "../../db/people/sessions.ts";
import { issuePairing } from "../../db/people/sign-ins.ts";
import { cryptoRandom } from "../../domain/base/secret.ts";
import type { SignedInContext } from "../shared/page.ts";
import { proveAgain } from "../entry/proof.ts";
import { isEmpty, NO_PROBLEMS, type Problems } from "../shared/form.ts";
import { html, type PageReply, seeOther } from "../shared/reply.tsx";
import { ProofField } from "../ui/proof.tsx";
import { Layout } from "../ui/layout.tsx";
import { serverAddress, devicesPath, DeviceTable, PLACES, readDevicesPosition } from "./table.tsx";
import { GetExtension } from "./extension.tsx";
import { PairingPage } from "./pairing.tsx";

/** `GET /account/devices`: the devices that sync with the account, and how to connect another. */
export const getDevices = (context: SignedInContext): Promise<PageReply> =>
  showDevices(context, NO_PROBLEMS);

/** `POST /account/devices/pair`: a code to enter in an extension, shown only once. */
export const postPair = async (context: SignedInContext): Promise<PageReply> => {
  const problems = await proveAgain(context);
  if (!isEmpty(problems)) return showDevices(context, problems);
  const { account, browserSession } = context.who;
  const pairing = await issuePairing(
    context.store,
    account.id,
    browserSession.id,
    cryptoRandom,
    context.now,
  );
  return html(<PairingPage account={account} address={serverAddress(context)} {...pairing} />);
};

/** `POST /account/devices/:id/revoke`: signs a device out. */
export const postRevokeDevice = async (context: SignedInContext): Promise<PageReply> => {
  const { store, who, pathId, now } = context;
  await revokeSession(store, who.account.id, pathId ?? "", now);
  return seeOther("/account/devices");
};

/** Rows on one page of either list. */
const ROWS = 50;

const showDevices = async (context: SignedInContext, problems: Problems): Promise<PageReply> => {
  const lists = { live: await readPage(context, "live"), ended: await readPage(context, "ended") };
  const isLost = Object.values(lists).some((list) => list.isLost);
  const status = isEmpty(problems) && !isLost ? 200 : 422;
  return html(<DevicesPage context={context} {...lists} problems={problems} />, { status });
};

const readPage = async (
  { store, who, query, now }: SignedInContext,
  kind: SessionKind,
): Promise<Listed> => {
  const cursor = query.get(PLACES[kind]) ?? "";
  const after = readDevicesPosition(cursor);
  const place = { after, limit: ROWS };
  const page = await listSessionPage(store, who.account.id, kind, place, now);
  return { ...page, isFirst: after === null, isLost: cursor !== "" && after === null };
};

type Listed = SessionPage & { readonly isFirst: boolean; readonly isLost: boolean };

type DevicesProps = {
  readonly context: SignedInContext;
  readonly live: Listed;
  readonly ended: Listed;
  readonly problems: Problems;
};

const DevicesPage = ({ context, live, ended, problems }: DevicesProps) => (
  <Layout title="Devices" account={context.who.account} at="/account/devices">
    {(live.isLost || ended.isLost) && (
      <p class="problem banner" role="alert">
        This address does not lead to a page of the list. Showing the newest items.
      </p>
    )}
    {live.sessions.length === 0 && live.isFirst ? (
      <p>No device is signed in yet. A browser appears here once you sign in from its extension.</p>
    ) : (
      <DeviceTable
        caption="Signed in, most recently used first"
        sessions={live.sessions}
        now={context.now}
      />
    )}
    <Pager kind="live" of={live} />
    <GetExtension context={context} />
    <Connect context={context} problems={problems} />
    {(ended.sessions.length > 0 || !ended.isFirst) && (
      <section id="ended">
        <h2>No longer signed in</h2>
        <DeviceTable
          caption="Signed out or expired in the last 90 days"
          sessions={ended.sessions}
          now={context.now}
        />
        <Pager kind="ended" of={ended} />
      </section>
    )}
  </Layout>
);

const Pager = ({ kind, of }: { readonly kind: SessionKind; readonly of: Listed }) =>
  of.isFirst && of.next === null ? null : (
    <nav
      class="pager"
      aria-label={kind === "live" ? "Pages of signed-in devices" : "Pages of other devices"}
    >
      {!of.isFirst && <a href="/account/devices">Newest</a>}
      {of.next && <a href={devicesPath(kind, of.next)}>Older</a>}
    </nav>
  );

const Connect = ({
  context,
  problems,
}: {
  readonly context: SignedInContext;
  readonly problems: Problems;
}) => (
  <section>
    <h2>Connect a device</h2>
    <p>Enter this address in the extension, then sign in from there:</p>
    <p>
      <code class="copy">{serverAddress(context)}</code>
    </p>
    <p>
      If your browser does not let extensions sign in this way, enter a pairing code in the
      extension instead.
    </p>
    <form method="post" action="/account/devices/pair" novalidate>
      <ProofField context={context} problems={problems} />
      <button class="main">Create a pairing code</button>
    </form>
  </section>
);
