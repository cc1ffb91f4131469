import { agentText, type Endpoint } from "./agent.ts";

/** A text to be pasted where a key is needed. */
export type Snippet = { readonly title: string; readonly text: string };

type SecretPlace = Endpoint & { readonly secret: string };

/** What a new key is pasted into. Only the agent's text holds no secret: agents send what they read on. */
export const snippetsOf = (place: SecretPlace): readonly Snippet[] =>
  [shell, tryIt, fileTab, mcp, agent].flatMap((snippet) => snippet(place) ?? []);

const shell = ({ origin, secret }: SecretPlace): Snippet => ({
  title: "For a shell or a script",
  text: `export DOCKET_URL=${origin}\nexport DOCKET_API_KEY=${secret}`,
});

const tryIt = (place: SecretPlace): Snippet => {
  const { scopes, restriction } = place.key;
  if (!scopes.includes("read"))
    return { title: "With curl: see that the key works", text: curl(place, "/me") };
  const what = restriction?.kind === "inbox" ? "look into the inbox" : "list the open tasks";
  return { title: `With curl: ${what}`, text: curl(place, "/tasks") };
};

const TAB = { url: "https://example.org/" };

/** A key that is kept to folders files into a task of one of them, as the inbox is not for it. */
const fileTab = (place: SecretPlace): Snippet | null => {
  const { scopes, restriction } = place.key;
  if (!scopes.includes("write")) return null;
  if (restriction?.kind !== "folders")
    return { title: "With curl: file a tab", text: curl(place, "/inbox/tabs", [TAB]) };
  const folder = restriction.folders.find(isPlain) ?? "ID-OF-A-FOLDER";
  return {
    title: "With curl: make a task with a tab",
    text: curl(place, "/tasks", { title: "Try it", folder, tabs: [TAB] }),
  };
};

/** An id that means nothing to a shell; a device may choose others. */
const isPlain = (id: string): boolean => /^[\w-]+$/.test(id);

const curl = ({ origin, secret }: SecretPlace, path: string, body?: unknown): string =>
  [
    `curl -sS -H 'Authorization: Bearer ${secret}'`,
    ...(body === undefined
      ? []
      : [`-H 'Content-Type: application/json' -d '${withSpaces(JSON.stringify(body))}'`]),
    `'${origin}/api/public/v1${path}'`,
  ].join(" ");

/** JSON as people write it. */
const withSpaces = (json: string): string => json.replaceAll(/(?<=")([:,])(?=["[{])/g, "$1 ");

/** As the programs' settings have it, most of which call it so. */
const mcp = ({ origin, secret }: SecretPlace): Snippet => {
  const headers = { Authorization: `Bearer ${secret}` };
  const docket = { type: "http", url: `${origin}/mcp`, headers };
  return {
    title: "For a program that speaks MCP",
    text: JSON.stringify({ mcpServers: { docket } }, null, 2),
  };
};

const agent = (place: Endpoint): Snippet => ({
  title: "For an agent’s instructions, beside these variables",
  text: agentText(place),
});
