import type { Access } from "../../server/checks/admission.ts";
import type { Route } from "../route.ts";
import { parametersOf } from "./headers.ts";
import { parameterSchema } from "./input.ts";
import type { Operation } from "./operations/operation.ts";
import { refusalResponses, successResponses } from "./responses.ts";

type Fields = Readonly<Record<string, unknown>>;

/** The part of what Elysia's plugin makes of a route that we use. */
export type Drawn = {
  readonly parameters?: readonly Fields[];
  readonly requestBody?: {
    readonly content: Readonly<Record<string, { readonly schema: Fields }>>;
  };
};

/**
 * Returns one operation of the document: the parts that the plugin took from the route's schemas, and the parts that
 * follow from its line in the route table.
 */
export const completeOperation = (route: Route, operation: Operation, drawn: Drawn) => ({
  operationId: operation.id,
  tags: [operation.tag],
  summary: operation.summary,
  description: [operation.description, whoMay(route.access)].filter(Boolean).join("\n\n"),
  security: securityOf(route.access),
  ...(route.access.scope === null ? {} : { "x-required-scope": route.access.scope }),
  ...parametersIn(route, operation, drawn),
  ...bodyIn(route, operation, drawn),
  responses: {
    ...successResponses(route, { ...operation.reply, tagged: operation.reply.tagged === true }),
    ...refusalResponses(route, operation.refusals ?? []),
  },
});

const whoMay = ({ callers, scope }: Access): string => {
  if (callers === "anyone") return "This call needs no credential.";
  if (callers === "session") return "Only sessions can make this call. An API key gets 403.";
  return scope === null
    ? "Any valid credential can make this call."
    : `Sessions can make this call. So can API keys with the \`${scope}\` scope, if the account is Pro.`;
};

const securityOf = ({ callers, scope }: Access): readonly Fields[] => {
  if (callers === "anyone") return [];
  const session = { session: [] };
  return callers === "session" ? [session] : [{ apiKey: scope === null ? [] : [scope] }, session];
};

const parametersIn = (route: Route, operation: Operation, drawn: Drawn) => {
  const query = (drawn.parameters ?? []).filter((parameter) => parameter["in"] === "query");
  const names = new Set(query.map(({ name }) => String(name)));
  const more = Object.keys(operation.query ?? {}).filter((name) => !names.has(name));
  if (more.length > 0)
    throw new Error(`${operation.id} takes no query parameter ${more.join(", ")}.`);
  const parameters = [...query.map((each) => parameterOf(operation, each)), ...parametersOf(route)];
  return parameters.length === 0 ? {} : { parameters };
};

const parameterOf = (operation: Operation, { name, required, schema }: Fields) => {
  const words = operation.query?.[String(name)];
  if (!words)
    throw new Error(`The document says nothing of the parameter ${name} of ${operation.id}.`);
  const judged = parameterSchema(schema as Fields);
  const more = words["schema"] as Fields | undefined;
  return { name, in: "query", required, ...words, schema: { ...judged, ...more } };
};

const FORM = "application/x-www-form-urlencoded";

const bodyIn = (route: Route, operation: Operation, drawn: Drawn) => {
  const { body } = operation;
  if (!route.body && !route.form) return {};
  if (!body) throw new Error(`The document shows no body of ${operation.id}.`);
  const schema = body.form
    ? { $ref: `#/components/schemas/${body.form}` }
    : withoutMust(drawn.requestBody?.content["application/json"]?.schema ?? {});
  const type = route.form ? FORM : "application/json";
  return {
    requestBody: { required: true, content: { [type]: { schema, example: body.example } } },
  };
};

/** Removes the schema's `description`, which error messages use. The operation has its own. */
const withoutMust = ({ description: _must, ...schema }: Fields): Fields => schema;
