import type { ApiKey } from "../../domain/people/api-key.ts";
import { shownText } from "../ui/shown.tsx";

/**
 * A key's name with its last four characters, because a key has the same name as the key that it replaced.
 */
export const keyLabel = ({ name, hint }: ApiKey): string => `${shownText(name)} ${keyTail(hint)}`;

export const keyTail = (hint: string): string => `…${hint.slice(-4)}`;
