import { listCalls } from "../../db/calls/activity-pages.ts";
import { listKeys } from "../../db/people/api-keys.ts";
import { isLoopback } from "../../domain/base/usage.ts";
import { issuerOf } from "../../server/checks/request.ts";
import type { SignedInContext } from "../shared/page.ts";
import { html, type PageReply, seeOther } from "../shared/reply.tsx";
import { Notice } from "../ui/fields.tsx";
import { Layout } from "../ui/layout.tsx";
import { Shown, Time } from "../ui/parts.tsx";
import type { CallRow } from "../../db/calls/activity-pages.ts";

/**
 * `GET /account/keys/connect?since=`: how to connect each of the usual agents, and the first call of any after `since`, once
 * it has come. `since` are the ms of the page's first opening.
 */
export const getConnect = async (context: SignedInContext): Promise<PageReply> => {
  const since = Number(context.query.get("since"));
  if (!Number.isSafeInteger(since) || since <= 0)
    return seeOther(`/account/keys/connect?since=${context.now}`);
  const { account } = context.who;
  const origin = issuerOf(context.origin, context.service.settings);
  const all = { keyId: null, outcome: null, way: null } as const;
  const { rows } = await listCalls(context.store, account.id, all, { after: null, limit: 50 });
  const first = rows.findLast(({ at }) => at >= since);
  const names = new Map(
    (await listKeys(context.store, account.id)).map((key) => [key.id, key.name]),
  );
  return html(
    <Layout title="Connect an agent" account={account} at="/account/keys">
      {first ? <FirstCall of={first} name={names.get(first.keyId) ?? ""} /> : <Waiting />}
      <p>
        These programs need the address alone. They open a page of this server, on which you say
        what they may do: what they get is an API key, which you find and revoke under{" "}
        <a href="/account/keys">API keys</a>.
      </p>
      {PROGRAMS.map((program) => (
        <section key={program.name}>
          <h2>{program.name}</h2>
          <p>{program.how}</p>
          <pre class="copy">{program.text(`${origin}/mcp`)}</pre>
        </section>
      ))}
      <section>
        <h2>Claude Desktop</h2>
        <p>
          It starts a program on your computer, so it needs a <a href="/account/keys/new">key</a>.
          In claude_desktop_config.json:
        </p>
        <pre class="copy">{desktop(origin)}</pre>
      </section>
      <section>
        <h2>claude.ai and ChatGPT</h2>
        {isPublic(origin) ? (
          <p>
            Add a connector with this address: <code class="copy">{origin}/mcp</code>
          </p>
        ) : (
          <p>
            They run on other people’s computers, so they need an address with https that everyone
            can reach. This server has none.
          </p>
        )}
      </section>
      <section>
        <h2>Scripts</h2>
        <p>
          With a <a href="/account/keys/new">key</a>, and with what{" "}
          <a href="/llms.txt">/llms.txt</a> says:
        </p>
        <pre class="copy">{`curl -sS -H 'Authorization: Bearer docket_live_...' '${origin}/api/public/v1/tasks'`}</pre>
      </section>
      <p class="quiet-text">As these programs’ own documentation said on 29 November 2026.</p>
    </Layout>,
  );
};

const Waiting = () => (
  <div data-progress>
    <progress aria-label="Waiting" />
    <p role="status">Waiting for the first call. It appears here.</p>
  </div>
);

const FirstCall = ({ of: call, name }: { readonly of: CallRow; readonly name: string }) => (
  <Notice>
    “<Shown text={name} />” is connected. Its first call, <code>{call.tool ?? call.route}</code>,
    came on <Time at={call.at} />. <a href="/account/activity">Activity</a> shows everything that it
    does.
  </Notice>
);

type Program = {
  readonly name: string;
  readonly how: string;
  readonly text: (url: string) => string;
};

const servers = (name: string, server: object): string =>
  JSON.stringify({ [name]: { docket: server } }, null, 2);

const PROGRAMS: readonly Program[] = [
  {
    name: "Claude Code",
    how: "Run both commands. The second one begins the sign-in, as /mcp in Claude Code does.",
    text: (url) => `claude mcp add --transport http docket ${url}\nclaude mcp login docket`,
  },
  {
    name: "Codex",
    how: "Run this. Codex begins the sign-in; codex mcp login docket begins it again.",
    text: (url) => `codex mcp add docket --url ${url}`,
  },
  {
    name: "VS Code",
    how: "In .vscode/mcp.json. VS Code asks you to sign in when it starts the server.",
    text: (url) => servers("servers", { type: "http", url }),
  },
  {
    name: "Cursor",
    how: "In ~/.cursor/mcp.json. Then choose Connect in Cursor’s settings.",
    text: (url) => servers("mcpServers", { url }),
  },
  {
    name: "Gemini CLI",
    how: "Run this, then type /mcp auth docket in Gemini CLI.",
    text: (url) => `gemini mcp add --transport http docket ${url}`,
  },
];

const desktop = (origin: string): string => {
  const env = { DOCKET_URL: origin, DOCKET_API_KEY: "docket_live_..." };
  return servers("mcpServers", { command: "docket", args: ["mcp"], env });
};

/** Whether others than this computer may be able to reach an address. */
const isPublic = (origin: string): boolean => {
  const { protocol, hostname } = new URL(origin);
  return protocol === "https:" && !isLoopback(hostname);
};
