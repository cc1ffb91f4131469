import { agentText, type Endpoint } from "./agent.ts";

/** Text to paste where a key is needed. */
export type Snippet = { readonly title: string; readonly text: string };

type SecretPlace = Endpoint & { readonly secret: string };

/**
 * Everything to paste for a new key. Only the text for an agent leaves the secret out, because agents pass on
 * what they read.
 */
export const snippetsOf = (place: SecretPlace): readonly Snippet[] =>
  [shell, tryIt, fileTab, mcp, agent].flatMap((snippet) => snippet(place) ?? []);

const shell = ({ origin, secret }: SecretPlace): Snippet => ({
  title: "For a shell or a script",
  text: `export DOCKET_URL=${origin}\nexport DOCKET_API_KEY=${secret}`,
});

const tryIt = (place: SecretPlace): Snippet => {
  const { scopes, restriction } = place.key;
  if (!scopes.includes("read"))
    return { title: "With curl: check that the key works", text: curl(place, "/me") };
  const what = restriction?.kind === "inbox" ? "show the inbox" : "list the open tasks";
  return { title: `With curl: ${what}`, text: curl(place, "/tasks") };
};

const TAB = { url: "https://example.org/" };

/** A key limited to folders adds a task to one of them, because it cannot use the inbox. */
const fileTab = (place: SecretPlace): Snippet | null => {
  const { scopes, restriction } = place.key;
  if (!scopes.includes("write")) return null;
  if (restriction?.kind !== "folders")
    return { title: "With curl: file a tab", text: curl(place, "/inbox/tabs", [TAB]) };
  const folder = restriction.folders.find(isPlain) ?? "ID-OF-A-FOLDER";
  return {
    title: "With curl: create a task with a tab",
    text: curl(place, "/tasks", { title: "Try it", folder, tabs: [TAB] }),
  };
};

/** An id without any character that is special in a shell. A device may choose other ids. */
const isPlain = (id: string): boolean => /^[\w-]+$/.test(id);

const curl = ({ origin, secret }: SecretPlace, path: string, body?: unknown): string =>
  [
    `curl -sS -H 'Authorization: Bearer ${secret}'`,
    ...(body === undefined
      ? []
      : [`-H 'Content-Type: application/json' -d '${withSpaces(JSON.stringify(body))}'`]),
    `'${origin}/api/public/v1${path}'`,
  ].join(" ");

/** JSON with spaces, as people write it. */
const withSpaces = (json: string): string => json.replaceAll(/(?<=")([:,])(?=["[{])/g, "$1 ");

/** In the form that the settings of most programs use. */
const mcp = ({ origin, secret }: SecretPlace): Snippet => {
  const headers = { Authorization: `Bearer ${secret}` };
  const docket = { type: "http", url: `${origin}/mcp`, headers };
  return {
    title: "For an MCP client",
    text: JSON.stringify({ mcpServers: { docket } }, null, 2),
  };
};

const agent = (place: Endpoint): Snippet => ({
  title: "For an agent’s instructions, with the variables above set",
  text: agentText(place),
});
