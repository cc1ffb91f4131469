import type { Connection } from "../connect/connection.ts";
import { ConnectForm, Pairing } from "./connect-form.tsx";
import { typed } from "./state.ts";

/** For a server that has moved to another address. The account is the same, so what is stored here stays. */
export const Moved = ({ now }: { readonly now: Connection }) => (
  <details
    onToggle={(event) => {
      // Outside of this, the buttons are about the address of now.
      if (!event.currentTarget.open) typed.value = now.server;
    }}
  >
    <summary>My server has a new address</summary>
    <p class="soft">
      Enter the new address, and sign in there to the same account. Everything in this browser
      stays, and changes that wait go to the new address.
    </p>
    <ConnectForm />
    {/* Signed out, it is offered beside this. */}
    {now.token !== null && <Pairing />}
  </details>
);
