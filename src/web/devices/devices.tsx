import { listSessions, revokeSession } from "../../db/people/sessions.ts";
import { issuePairing } from "../../db/people/sign-ins.ts";
import { DAY } from "../../domain/base/instant.ts";
import { cryptoRandom } from "../../domain/base/secret.ts";
import { isSessionLive, type Session, sessionEnd } from "../../domain/people/session.ts";
import type { SignedInContext } from "../shared/context.ts";
import { proveAgain } from "../entry/proof.ts";
import { isEmpty, NO_PROBLEMS, type Problems } from "../shared/form.ts";
import { html, type PageReply, seeOther } from "../shared/reply.tsx";
import { ProofField } from "../ui/proof.tsx";
import { Layout } from "../ui/layout.tsx";
import { baseAddress } from "./base.ts";
import { GetExtension } from "./extension.tsx";
import { PairingPage } from "./pairing.tsx";
import { DeviceTable } from "./table.tsx";

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
  return html(<PairingPage account={account} base={baseAddress(context)} {...pairing} />);
};

/** `POST /account/devices/:id/revoke`: signs a device out. */
export const postRevokeDevice = async (context: SignedInContext): Promise<PageReply> => {
  const { store, who, pathId, now } = context;
  await revokeSession(store, who.account.id, pathId ?? "", now);
  return seeOther("/account/devices");
};

/** How long a device stays in the list after it is signed out. */
const SHOWN = 90 * DAY;

const showDevices = async (context: SignedInContext, problems: Problems): Promise<PageReply> => {
  const { store, who, now } = context;
  const sessions = await listSessions(store, who.account.id);
  const live = sessions.filter((session) => isSessionLive(session, now));
  const ended = sessions.filter(
    (session) => !isSessionLive(session, now) && now - sessionEnd(session) < SHOWN,
  );
  const status = isEmpty(problems) ? 200 : 422;
  return html(<DevicesPage context={context} live={live} ended={ended} problems={problems} />, {
    status,
  });
};

type DevicesProps = {
  readonly context: SignedInContext;
  readonly live: readonly Session[];
  readonly ended: readonly Session[];
  readonly problems: Problems;
};

const DevicesPage = ({ context, live, ended, problems }: DevicesProps) => (
  <Layout title="Devices" account={context.who.account} at="/account/devices">
    {live.length === 0 ? (
      <p>No device is signed in yet. A browser appears here once you sign in from its extension.</p>
    ) : (
      <DeviceTable
        caption="Signed in, most recently used first"
        sessions={live.toSorted((a, b) => b.lastUsedAt - a.lastUsedAt)}
        now={context.now}
      />
    )}
    <GetExtension context={context} />
    <Connect context={context} problems={problems} />
    {ended.length > 0 && (
      <section>
        <h2>No longer signed in</h2>
        <DeviceTable
          caption="Signed out or expired in the last 90 days"
          sessions={ended.toSorted((a, b) => sessionEnd(b) - sessionEnd(a))}
          now={context.now}
        />
      </section>
    )}
  </Layout>
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
    <p>Enter this base address in the extension, then sign in from there:</p>
    <p>
      <code class="copy">{baseAddress(context)}</code>
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
