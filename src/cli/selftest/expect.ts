import type { Answer } from "./client.ts";
import { Broken } from "./faults.ts";
import { mismatch, show, TEXT } from "./match.ts";
import { shortenedTo } from "../../domain/base/text.ts";

/** Throws `Broken` unless the condition holds. */
export const must = (holds: boolean, why: string): void => {
  if (!holds) throw new Broken(why);
};

/** Throws `Broken` unless the reply has this status and, if `wanted` is given, a body like it. */
export const wants = (answer: Answer, status: number, wanted?: unknown): void => {
  const got = answer.json === undefined ? "" : `: ${show(answer.json)}`;
  must(
    answer.status === status,
    `${answer.request} answered ${answer.status}, not ${status}${got}.`,
  );
  const wrong = wanted === undefined ? null : mismatch(answer.json, wanted);
  must(wrong === null, `${answer.request}: ${wrong}`);
};

/** Throws `Broken` unless the reply is a refusal with this status, whose body is one sentence as `error`. */
export const refused = (answer: Answer, status: number, what = answer.request): void => {
  must(answer.status === status, `${what} answered ${answer.status}, not ${status}.`);
  const wrong = mismatch(answer.json, { error: TEXT });
  const names = Object.keys(Object(answer.json));
  must(
    wrong === null && names.length === 1,
    `${what}: the body of the ${status} is not an object with one string, error: ${shortenedTo(answer.text, 80)}`,
  );
};
