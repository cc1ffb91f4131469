import type { Environment, Flags } from "../../../src/config/settings.ts";
import { readConfig } from "../../../src/config/config.ts";
import { UsageError } from "../../../src/domain/base/usage.ts";

/** Reads settings with these files and no others: `config` returns them, `refusal` the message. */
export const settingsReader = (files: Readonly<Record<string, string>>) => {
  const config = (flags: Flags, environment: Environment = {}) =>
    readConfig(flags, environment, (path) => files[path] ?? "");

  const refusal = (flags: Flags, environment: Environment = {}): string => {
    try {
      config(flags, environment);
    } catch (error) {
      if (error instanceof UsageError) return error.message;
      throw error;
    }
    return "accepted";
  };

  return { config, refusal };
};
