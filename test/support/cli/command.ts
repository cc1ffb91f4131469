import { DOCKET } from "../docket.ts";
import { run } from "../program.ts";

type Credentials = {
  readonly session?: string;
  readonly key?: string;
  readonly reader?: string;
  readonly writer?: string;
};

/** Runs `docket selftest`, with credentials in its environment. */
export const selftest = (
  words: readonly string[],
  { session, key, reader, writer }: Credentials = {},
  more: Readonly<Record<string, string>> = {},
  program: readonly string[] = DOCKET,
) =>
  run(program, ["selftest", ...words], {
    env: {
      ...(session === undefined ? {} : { DOCKET_SESSION_TOKEN: session }),
      ...(key === undefined ? {} : { DOCKET_API_KEY: key }),
      ...(reader === undefined ? {} : { DOCKET_READ_KEY: reader }),
      ...(writer === undefined ? {} : { DOCKET_WRITE_KEY: writer }),
      ...more,
    },
  });
