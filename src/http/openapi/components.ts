import type { TSchema } from "@sinclair/typebox";
import type { Route } from "../route.ts";
import { HEADERS, PARAMETERS } from "./headers.ts";
import { REQUESTS } from "./input.ts";
import { operationOf } from "./operations/all.ts";
import { sharedResponses } from "./responses.ts";
import { AGENTS } from "./shapes/agents.ts";
import { ACCOUNT, ERROR, OAUTH_ERROR, SERVER } from "./shapes/parts.ts";
import { LISTS, RECORDS } from "./shapes/records.ts";
import { ICONS } from "./shapes/icons.ts";
import { FORMS, SIGN_IN } from "./shapes/sign-in.ts";
import { SYNC } from "./shapes/sync.ts";

type Shapes = Readonly<Record<string, TSchema>>;

const REPLIES: Shapes = {
  ...RECORDS,
  ...LISTS,
  ...AGENTS,
  ...ACCOUNT,
  ...SYNC,
  ...ICONS,
  ...SIGN_IN,
  ...SERVER,
};

/** Every schema of the document, by name. */
export const shapes = (routes: readonly Route[]): Shapes => ({
  ...REPLIES,
  ...dryShapes(routes),
  ...REQUESTS(),
  ...FORMS,
  Error: ERROR,
  OAuthError: OAUTH_ERROR,
});

/** What writes return for a dry run. */
const dryShapes = (routes: readonly Route[]): Shapes =>
  Object.fromEntries(
    routes
      .filter(({ present }) => present !== null)
      .map((route) => operationOf(route).reply)
      .flatMap(({ shape, withoutRead }) => (withoutRead ? [shape, withoutRead] : [shape]))
      .map((name) => [`${name}DryRun`, dryShape(name)]),
  );

const dryShape = (name: string): TSchema => {
  const shape = REPLIES[name];
  if (!shape) throw new Error(`The document knows no shape ${name}.`);
  return {
    ...shape,
    description: `${name}, as a dry run returns it.`,
    properties: { ...shape["properties"], dry_run: { const: true } },
    required: [...(shape["required"] ?? []), "dry_run"],
  };
};

/** Everything under `components` except the schemas. */
export const components = () => ({
  responses: sharedResponses(),
  parameters: PARAMETERS,
  headers: HEADERS,
  securitySchemes: {
    apiKey: {
      type: "http",
      scheme: "bearer",
      bearerFormat: "docket_live_...",
      description:
        "A key for scripts and AI agents. Create one on /account/keys. It can do what its scopes allow, and can never delete anything.",
    },
    session: {
      type: "http",
      scheme: "bearer",
      bearerFormat: "docket_sess_...",
      description: "The token of a device that is signed in. It has both scopes and can sync.",
    },
  },
});
