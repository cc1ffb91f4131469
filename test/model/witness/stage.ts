import type { Instant } from "../../../src/domain/base/instant.ts";
import type { Server } from "./server.ts";

/** Where histories are played, one after the other: on one server, days apart, each in an account of its own. */
export type Stage = {
  readonly play: <Outcome>(
    one: (server: Server, start: Instant) => Promise<Outcome>,
  ) => Promise<Outcome>;
  readonly end: () => Promise<void>;
};

/** A new server after so many histories, so that none gets slow. */
const PER_SERVER = 250;

/** Clocks are off by up to a day. */
const APART = 3 * 86_400_000;

const START: Instant = Date.parse("2026-03-04T12:00:00.000Z");

export const newStage = async (start: (now: Instant) => Promise<Server>): Promise<Stage> => {
  let server = await start(START);
  let played = 0;
  return {
    play: async (one) => {
      if (played >= PER_SERVER) {
        await server.end();
        server = await start(START);
        played = 0;
      }
      played += 1;
      return one(server, START + APART * played);
    },
    end: () => server.end(),
  };
};
