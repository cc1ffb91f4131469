import type { Account } from "../../domain/people/account.ts";
import type { Instant } from "../../domain/base/instant.ts";
import { Layout } from "../ui/layout.tsx";
import { Time } from "../ui/time.tsx";

type PairingProps = {
  readonly account: Account;
  readonly base: string;
  readonly code: string;
  readonly expiresAt: Instant;
};

/** Shows a pairing code, this once, and how to use it. */
export const PairingPage = ({ account, base, code, expiresAt }: PairingProps) => (
  <Layout title="Pairing code" account={account} at="/account/devices">
    <div class="secret">
      <p>
        <code class="copy">{code}</code>
      </p>
      <p>
        Good for one device, until <Time at={expiresAt} />.
      </p>
    </div>
    <ol>
      <li>Open the extension's options in the browser that you want to connect.</li>
      <li>
        Enter the base address <code>{base}</code>
      </li>
      <li>
        Choose to connect with a pairing code, and type it. Capital letters, spaces and hyphens do
        not matter.
      </li>
    </ol>
    <p>Whoever types this code can read and change all your tasks: show it to nobody else.</p>
    <p>
      <a href="/account/devices">Back to the devices</a>
    </p>
  </Layout>
);
