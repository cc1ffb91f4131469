import { OutcomeLine } from "./outcome.tsx";
import { useSignal } from "@preact/signals";
import { browser } from "../browser/api.ts";
import { pairHere, signInHere, testConnection } from "./acts.ts";
import { typed } from "./state.ts";

/** For someone who is not signed in: the server's address, and the ways to sign in. */
export const ConnectSection = () => (
  <section>
    <h2>Connect your server</h2>
    <p class="soft">
      Docket works in this browser alone. Connect your own Docket server, and your tasks are in all
      your browsers.
    </p>
    <ConnectForm />
    <OutcomeLine />
    <Pairing />
  </section>
);

/** The server's address, and a button to sign in there, in browsers that can open the window for it. */
export const ConnectForm = () => (
  <form
    class="connect"
    onSubmit={(event) => {
      event.preventDefault();
      void (browser.identity ? signInHere() : testConnection());
    }}
  >
    <Address />
    <div class="buttons">
      {browser.identity && <button class="button main">Sign in</button>}
      <button type="button" class="button" onClick={() => void testConnection()}>
        Test the connection
      </button>
    </div>
  </form>
);

const Address = () => (
  <>
    <label for="address">Address of the server</label>
    <input
      id="address"
      class="field"
      inputMode="url"
      autocomplete="url"
      spellcheck={false}
      placeholder="https://docket.example.org"
      value={typed.value}
      onInput={(event) => (typed.value = event.currentTarget.value)}
    />
  </>
);

/** For browsers that cannot open the window of a sign-in. */
export const Pairing = () => {
  const code = useSignal("");
  return (
    <details open={!browser.identity}>
      <summary>{browser.identity ? "Use a pairing code instead" : "Use a pairing code"}</summary>
      <p class="soft">
        Open your account on the server, go to Devices, and create a pairing code. It works once,
        within 10 minutes.
      </p>
      <form
        class="connect"
        onSubmit={(event) => {
          event.preventDefault();
          void pairHere(code.value);
        }}
      >
        <label for="code">Pairing code</label>
        <input
          id="code"
          class="field"
          autocomplete="off"
          spellcheck={false}
          required
          value={code.value}
          onInput={(event) => (code.value = event.currentTarget.value)}
        />
        <div class="buttons">
          <button class="button">Sign in with the code</button>
        </div>
      </form>
    </details>
  );
};
