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
import { PairingPage } from "./pairing.tsx";
import { DeviceTable } from "./table.tsx";

/** `GET /account/devices`: the devices that sync with the account, and how to connect one more. */
export const getDevices = (context: SignedInContext): Promise<PageReply> =>
  showDevices(context, NO_PROBLEMS);

/** `POST /account/devices/pair`: a code to type into an extension, shown this once. */
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

/** How long a device that is signed out stays in the list. */
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
      <p>No device is signed in. The extension in a browser of yours makes it one.</p>
    ) : (
      <DeviceTable
        caption="Signed in, the one used last first"
        sessions={live.toSorted((a, b) => b.lastUsedAt - a.lastUsedAt)}
        now={context.now}
      />
    )}
    <Connect context={context} problems={problems} />
    {ended.length > 0 && (
      <section>
        <h2>Not signed in any more</h2>
        <DeviceTable
          caption="Ended in the last 90 days"
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
    <p>Give the extension this base address, and choose there to sign in:</p>
    <p>
      <code class="copy">{baseAddress(context)}</code>
    </p>
    <p>Where the browser has no sign-in for extensions, type a pairing code into it instead.</p>
    <form method="post" action="/account/devices/pair" novalidate>
      <ProofField context={context} problems={problems} />
      <button class="main">Make a pairing code</button>
    </form>
  </section>
);
