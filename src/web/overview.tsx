import type { SignedInAsk } from "./ask.ts";
import { html, type PageReply, seeOther } from "./reply.tsx";
import { Layout } from "./ui/layout.tsx";

/** `GET /`: people type the address alone. */
export const getRoot = (): PageReply => seeOther("/account");

/** `GET /account`: where things stand, and where the extension finds this server. */
export const getOverview = async (ask: SignedInAsk): Promise<PageReply> => {
  const base = `${(ask.service.settings.publicUrl ?? new URL(ask.origin.href)).origin}/api/public/v1`;
  return html(
    <Layout title="Overview" account={ask.who.account} at="/account">
      <section>
        <h2>Connect the extension</h2>
        <p>Give it this base address:</p>
        <p>
          <code class="copy">{base}</code>
        </p>
      </section>
    </Layout>,
  );
};
