import { Refusal } from "../../domain/base/refusal.ts";
import type { HeldBody } from "../../server/checks/body.ts";

/** The fields of a form as they were typed. If a field was sent twice, the last one counts. */
export type Form = ReadonlyMap<string, string>;

/** The problems with a form, by field. `""` stands for the form as a whole. */
export type Problems = Readonly<Record<string, string>>;

export const NO_PROBLEMS: Problems = {};

/** Whether there are no problems. */
export const isEmpty = (problems: Problems): boolean => Object.keys(problems).length === 0;

const EMPTY_FORM: Form = new Map();

/** A field's text; empty if it was not sent. */
export const field = (form: Form, name: string): string => form.get(name) ?? "";

/** The most bytes a form may have, far more than any of ours needs. */
const LARGEST = 64 * 1024;

/**
 * Reads the body of a request, counted in `held`: a form, or JSON from our own script. Refuses a body that is too
 * large, of another type, or one that there is no memory for now.
 */
export const readSent = async (
  request: Request,
  kind: "form" | "json",
  held: HeldBody,
): Promise<{ readonly form: Form; readonly json: unknown }> => {
  if (request.method !== "POST") return { form: EMPTY_FORM, json: null };
  const type = (request.headers.get("content-type") ?? "").split(";")[0]?.trim().toLowerCase();
  if (type !== TYPES[kind])
    throw new Refusal("unsupported_type", `This page accepts only ${TYPES[kind]}.`);
  const text = await readText(request, held).catch(brokenOff);
  if (kind === "json") return { form: EMPTY_FORM, json: parse(text) };
  return { form: new Map(new URLSearchParams(text)), json: null };
};

const TYPES = { form: "application/x-www-form-urlencoded", json: "application/json" } as const;

/** The sender went away. Nobody is left to read the message, but the log should not call it a bug. */
const brokenOff = (error: unknown): never => {
  throw error instanceof Refusal
    ? error
    : new Refusal("malformed", "The form was cut off before its end. Send it again.");
};

const readText = async (request: Request, held: HeldBody): Promise<string> => {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body ?? []) {
    size += chunk.length;
    if (size > LARGEST) throw new Refusal("too_large", "The form is too large.");
    held.add(chunk.length);
    chunks.push(chunk);
  }
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(Buffer.concat(chunks));
  } catch {
    throw new Refusal("malformed", "The form is not valid UTF-8.");
  }
};

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    throw new Refusal("malformed", "The body is not valid JSON.");
  }
};
