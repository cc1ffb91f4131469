import { expect } from "bun:test";
import { testWith } from "../support/faults/needs.ts";
import { historyOf } from "../model/witness/history.ts";
import { play } from "../model/witness/play.ts";
import { startBinary } from "../model/witness/server.ts";
import { newStage } from "../model/witness/stage.ts";
import { FEATURES } from "../model/witness/steps.ts";
import { buildBinary } from "../support/program.ts";
import { seed, times } from "../support/random.ts";

const USUAL = {
  features: new Set(FEATURES),
  every: true,
  seedOnly: "none",
  onCollision: "forget the reply",
  names: "base",
  resends: true,
} as const;

testWith(
  ["faketime"],
  "Devices and agents lose nothing to the compiled program, killed and restored in the middle of their work",
  async () => {
    const binary = await buildBinary();
    const stage = await newStage((now) => startBinary(binary, now));
    try {
      for (let at = 0; at < times(8); at += 1) {
        const history = historyOf(seed + at, USUAL);
        const { findings, log } = await stage.play((server, start) => play(server, history, start));
        expect({ seed: history.seed, findings, log }).toMatchObject({ findings: [] });
      }
    } finally {
      await stage.end();
    }
  },
  300_000 * times(1),
);
