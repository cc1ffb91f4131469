import { listSessions, revokeSession } from "../../db/sessions.ts";
import { issuePairing } from "../../db/signins.ts";
import { DAY } from "../../instant.ts";
import { cryptoRandom } from "../../secret.ts";
import { isSessionLive, type Session, sessionEnd } from "../../session.ts";
import type { SignedInAsk } from "../ask.ts";
import { proveAgain } from "../entry/proof.ts";
import { isEmpty, NO_PROBLEMS, type Problems } from "../form.ts";
import { html, type PageReply, seeOther } from "../reply.tsx";
import { ProofField } from "../ui/proof.tsx";
import { Layout } from "../ui/layout.tsx";
import { baseAddress } from "./base.ts";
import { PairingPage } from "./pairing.tsx";
import { DeviceTable } from "./table.tsx";

/** `GET /account/devices`: the devices that sync with the account, and how to connect another. */
export const getDevices = (ask: SignedInAsk): Promise<PageReply> => showDevices(ask, NO_PROBLEMS);

/** `POST /account/devices/pair`: a code to enter in an extension, shown only once. */
export const postPair = async (ask: SignedInAsk): Promise<PageReply> => {
  const problems = await proveAgain(ask);
  if (!isEmpty(problems)) return showDevices(ask, problems);
  const { account, visit } = ask.who;
  const pairing = await issuePairing(ask.store, account.id, visit.id, cryptoRandom, ask.now);
  return html(<PairingPage account={account} base={baseAddress(ask)} {...pairing} />);
};

/** `POST /account/devices/:id/revoke`: signs a device out. */
export const postRevokeDevice = async (ask: SignedInAsk): Promise<PageReply> => {
  const { store, who, pathId, now } = ask;
  await revokeSession(store, who.account.id, pathId ?? "", now);
  return seeOther("/account/devices");
};

/** How long a device stays in the list after it is signed out. */
const SHOWN = 90 * DAY;

const showDevices = async (ask: SignedInAsk, problems: Problems): Promise<PageReply> => {
  const { store, who, now } = ask;
  const sessions = await listSessions(store, who.account.id);
  const live = sessions.filter((session) => isSessionLive(session, now));
  const ended = sessions.filter(
    (session) => !isSessionLive(session, now) && now - sessionEnd(session) < SHOWN,
  );
  const status = isEmpty(problems) ? 200 : 422;
  return html(<DevicesPage ask={ask} live={live} ended={ended} problems={problems} />, { status });
};

type DevicesProps = {
  readonly ask: SignedInAsk;
  readonly live: readonly Session[];
  readonly ended: readonly Session[];
  readonly problems: Problems;
};

const DevicesPage = ({ ask, live, ended, problems }: DevicesProps) => (
  <Layout title="Devices" account={ask.who.account} at="/account/devices">
    {live.length === 0 ? (
      <p>No device is signed in yet. A browser appears here once you sign in from its extension.</p>
    ) : (
      <DeviceTable
        caption="Signed in, most recently used first"
        sessions={live.toSorted((a, b) => b.lastUsedAt - a.lastUsedAt)}
        now={ask.now}
      />
    )}
    <Connect ask={ask} problems={problems} />
    {ended.length > 0 && (
      <section>
        <h2>No longer signed in</h2>
        <DeviceTable
          caption="Signed out or expired in the last 90 days"
          sessions={ended.toSorted((a, b) => sessionEnd(b) - sessionEnd(a))}
          now={ask.now}
        />
      </section>
    )}
  </Layout>
);

const Connect = ({ ask, problems }: { readonly ask: SignedInAsk; readonly problems: Problems }) => (
  <section>
    <h2>Connect a device</h2>
    <p>Enter this base address in the extension, then sign in from there:</p>
    <p>
      <code class="copy">{baseAddress(ask)}</code>
    </p>
    <p>
      If your browser does not let extensions sign in this way, enter a pairing code in the
      extension instead.
    </p>
    <form method="post" action="/account/devices/pair" novalidate>
      <ProofField ask={ask} problems={problems} />
      <button class="main">Create a pairing code</button>
    </form>
  </section>
);
