import { ROUTES } from "../../../src/http/routes.ts";
import { documentText } from "../../../src/http/openapi/document.ts";

export type Json = Readonly<Record<string, unknown>>;

export type Reference = { readonly $ref: string };

export type Header = {
  readonly required?: boolean;
  readonly schema: Json;
  readonly example?: unknown;
};

export type Content = { readonly schema: Json; readonly example?: unknown };

export type Response = {
  readonly description: string;
  readonly headers: Readonly<Record<string, Header | Reference>>;
  readonly content: Readonly<Record<string, Content>>;
};

export type Parameter = {
  readonly name: string;
  readonly in: string;
  readonly schema: Json;
  readonly example?: unknown;
};

export type Operation = {
  readonly operationId: string;
  readonly summary: string;
  readonly security: readonly Json[];
  readonly parameters?: readonly (Parameter | Reference)[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Content>> };
  readonly responses: Readonly<Record<string, Response | Reference>>;
};

export type Document = {
  readonly openapi: string;
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly responses: Readonly<Record<string, Response>>;
    readonly schemas: Readonly<Record<string, Json>>;
    readonly headers: Readonly<Record<string, Header>>;
  };
};

/** The OpenAPI document as the server serves it now. */
export const DOCUMENT = JSON.parse(documentText(ROUTES)) as Document;

/** Returns what a reference points to, and anything else unchanged. */
export const resolved = <Part>(part: Part | Reference): Part => {
  if (typeof part !== "object" || part === null || !("$ref" in part)) return part as Part;
  return part.$ref
    .split("/")
    .slice(1)
    .reduce<unknown>((there, step) => (there as Json)?.[unescape(step)], DOCUMENT) as Part;
};

/** A step of a JSON pointer (RFC 6901). */
const unescape = (step: string): string => step.replaceAll("~1", "/").replaceAll("~0", "~");
