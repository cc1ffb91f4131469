import { batch, useSignal, useSignalEffect } from "@preact/signals";
import type { Connection } from "../connect/connection.ts";
import { ConnectForm, Pairing } from "./connect-section.tsx";
import { newAddress, typed } from "./state.ts";

/** For a server that has moved to another address. The account is the same, so what is stored here stays. */
export const Moved = ({ now }: { readonly now: Connection }) => {
  const isOpen = useSignal(false);
  useSignalEffect(() => {
    if (isOpen.value) newAddress.value = typed.value;
  });
  return (
    <details
      onToggle={(event) => {
        const willOpen = event.currentTarget.open;
        // Outside of this, the buttons are about the address of now.
        const address = (willOpen && newAddress.value) || now.server;
        batch(() => {
          isOpen.value = willOpen;
          typed.value = address;
        });
      }}
    >
      <summary>My server has a new address</summary>
      {isOpen.value && (
        <>
          <p class="soft">
            Enter the new address, and sign in there to the same account. Everything in this browser
            stays, and changes that wait go to the new address.
          </p>
          <ConnectForm />
          {/* Signed out, it is offered beside this. */}
          {now.token !== null && <Pairing />}
        </>
      )}
    </details>
  );
};
