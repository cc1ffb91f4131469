import type { Account } from "../../domain/people/account.ts";
import type { Instant } from "../../domain/base/instant.ts";
import { Layout } from "../ui/layout.tsx";
import { Time } from "../ui/parts.tsx";

type PairingProps = {
  readonly account: Account;
  readonly address: string;
  readonly code: string;
  readonly expiresAt: Instant;
};

/** Shows a pairing code, only once, and how to use it. */
export const PairingPage = ({ account, address, code, expiresAt }: PairingProps) => (
  <Layout title="Pairing code" account={account} at="/account/devices">
    <div class="secret">
      <p>
        <code class="copy">{code}</code>
      </p>
      <p>
        It works for one device, until <Time at={expiresAt} />.
      </p>
    </div>
    <ol>
      <li>Open the extension's options in the browser you want to connect.</li>
      <li>
        Enter the address <code>{address}</code>
      </li>
      <li>
        Choose to connect with a pairing code, and enter the code. Capital letters, spaces and
        hyphens do not matter.
      </li>
    </ol>
    <p>
      Anyone who enters this code can read, change and delete all your tasks. Do not show it to
      anyone else.
    </p>
    <p>
      <a href="/account/devices">Back to Devices</a>
    </p>
  </Layout>
);
