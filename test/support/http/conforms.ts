import {
  DOCUMENT,
  type Header,
  type Operation,
  type Reference,
  resolved,
  type Response,
} from "./document.ts";
import { replyErrors } from "./schemas.ts";

/**
 * A reply to be checked against the OpenAPI document. `body` is the parsed JSON, undefined if there
 * is none.
 */
export type Reply = {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
};

/**
 * Returns a sentence for each way in which a reply differs from the document; empty if there is
 * none. `template` is the path as the document has it, null for a path that it does not have.
 */
export const problemsOf = (
  method: string,
  template: string | null,
  reply: Reply,
): readonly string[] => {
  const found = responseOf(method, template, reply.status);
  if (found === "free") return [];
  if (!found) return [`${reply.status} is not listed for ${method} ${template}`];
  return [...headerProblems(found, reply.headers), ...bodyProblems(found, method, reply)];
};

/**
 * Returns the path template in the document that a path matches, or null. One trailing slash is
 * ignored.
 */
export const templateOf = (path: string): string | null => {
  const asked = /[^/]\/$/.test(path) ? path.slice(0, -1) : path;
  return PATHS.find(({ pattern }) => pattern.test(asked))?.template ?? null;
};

const PATHS = Object.keys(DOCUMENT.paths)
  .map((template) => ({
    template,
    pattern: new RegExp(`^${template.replaceAll(".", "\\.").replaceAll(/\{\w+\}/g, "[^/]+")}$`),
  }))
  .toSorted((a, b) => a.template.split("{").length - b.template.split("{").length);

/** Replies sent before the operation is known are documented too, as shared responses. */
const responseOf = (
  method: string,
  template: string | null,
  status: number,
): Response | "free" | undefined => {
  if (method === "OPTIONS" && status === 204) return "free";
  const { WrongHost, WrongMethod, NotFound } = DOCUMENT.components.responses;
  if (status === 405) return WrongMethod;
  const operation = operationOf(method, template);
  if (!operation) return status === 421 ? WrongHost : status === 404 ? NotFound : undefined;
  const listed = operation.responses[String(status)];
  return listed && resolved(listed);
};

const operationOf = (method: string, template: string | null): Operation | undefined => {
  const asked = method === "HEAD" ? "get" : method.toLowerCase();
  return template === null ? undefined : DOCUMENT.paths[template]?.[asked];
};

const headerProblems = (response: Response, headers: Headers): readonly string[] => {
  const problems = Object.entries(response.headers).flatMap(([name, header]) =>
    fieldProblems(name, resolved<Header>(header as Header | Reference), headers.get(name)),
  );
  // A header that the document defines, but not for this response.
  const more = Object.keys(DOCUMENT.components.headers)
    .filter((name) => headers.has(name) && !(name in response.headers))
    .map((name) => `the field ${name} is not listed`);
  return [...problems, ...more];
};

const fieldProblems = (name: string, header: Header, value: string | null): readonly string[] => {
  if (value === null) return header.required ? [`the field ${name} is missing`] : [];
  const typed = header.schema["type"] === "integer" ? Number(value) : value;
  return replyErrors(header.schema, typed).map((error) => `the field ${name} ${error}`);
};

const bodyProblems = (
  response: Response,
  method: string,
  { body, headers }: Reply,
): readonly string[] => {
  if (method === "HEAD") return body === undefined ? [] : ["a reply to HEAD has a body"];
  const [type = ""] = headers.get("content-type")?.split(";") ?? [];
  const content = response.content[type];
  if (!content) return [`the type ${type} is not listed`];
  return replyErrors(content.schema, body).map((error) => `the body ${error}`);
};
