import { ConnectForm, Pairing } from "./connect-form.tsx";
import { OutcomeLine } from "./outcome.tsx";

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
