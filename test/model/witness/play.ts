import type { Instant } from "../../../src/domain/base/instant.ts";
import { type Row } from "./content.ts";
import { type Device, pull, push, reviveTask } from "./device.ts";
import type { History } from "./history.ts";
import { isBack, isKeptOver, isThere, judge, setBackBy } from "./judge.ts";
import type { Token } from "./ledger.ts";
import type { Server } from "./server.ts";
import { take } from "./steps.ts";
import { doubledIn, historyOf, look, newWorld, pass, say, type World } from "./world.ts";

/** Something that should not be. */
export type Finding = {
  readonly kind:
    | "apart"
    | "back"
    | "doubled"
    | "kept"
    | "lost"
    | "lost untold"
    | "not quiet"
    | "not sent again"
    | "set back"
    | "wrong author";
  readonly words: string;
};

/** What no server can keep a device of the specification alone from doing: it counts apart. */
export const BEYOND: readonly Finding["kind"][] = ["kept", "not sent again", "set back"];

export type Outcome = {
  readonly findings: readonly Finding[];
  readonly log: readonly string[];
  readonly tokens: number;
};

/** Plays a history from `start` on, lets everybody sync until nothing is new, and looks at what came of it. */
export const play = async (server: Server, history: History, start: Instant): Promise<Outcome> => {
  const world = await newWorld(server, start, history.devices);
  for (const step of history.steps) await take(world, step);
  return finish(world);
};

export const finish = async (world: World): Promise<Outcome> => {
  const quiet = (await settle(world)) && (await reviveBuried(world));
  const rows = await look(world);
  const findings: Finding[] = [
    ...(quiet ? [] : [{ kind: "not quiet", words: "The devices never stop to sync." } as const]),
    ...[...world.devices.values()].flatMap((device) => apart(world, device, rows)),
    ...[...rows.values()].flatMap((row) =>
      doubledIn(row).map(
        (token) => ({ kind: "doubled", words: `${token} stands twice.` }) as const,
      ),
    ),
    ...strangers(world, rows),
    ...forgotten(world, rows),
  ];
  const told = newTeller(world);
  for (const token of world.ledger.tokens.values()) {
    const finding = await findingOf(world, rows, token, told);
    if (finding) findings.push(finding);
  }
  return { findings, log: world.log, tokens: world.ledger.tokens.size };
};

const ROUNDS = 12;

/** Everybody syncs, in turn, until a whole round brings nobody anything. */
const settle = async (world: World): Promise<boolean> => {
  for (let round = 0; round < ROUNDS; round += 1) {
    let isQuiet = true;
    for (const device of world.order) {
      pass(world, 1_000);
      const waited = device.waiting.size > 0;
      const nothing = await pull(device);
      if (device.habits.knows === "specification") await push(device);
      if (waited || !nothing || device.waiting.size > 0) isQuiet = false;
    }
    if (isQuiet) return true;
  }
  return false;
};

/** Work that is under a deletion of somebody who had not seen it comes back with the task: that is tried. */
const reviveBuried = async (world: World): Promise<boolean> => {
  const { ledger, devices } = world;
  const rows = await look(world);
  const buried = new Set<string>();
  for (const token of ledger.tokens.values())
    if (rows.get(token.task)?.deleted_at && judge(ledger, rows, token) === "lost")
      buried.add(token.task);
  const [device] = devices.values();
  if (buried.size === 0 || !device) return true;
  for (const task of buried) {
    say(world, `${device.name} un-deletes t${world.tasks.indexOf(task) + 1}, in the end`);
    reviveTask(device, task);
  }
  return settle(world);
};

const apart = (
  { ledger }: World,
  device: Device,
  rows: ReadonlyMap<string, Row>,
): readonly Finding[] =>
  [...new Set([...device.rows.keys(), ...rows.keys()])].flatMap((id) => {
    const [mine, theirs] = [device.rows.get(id), rows.get(id)];
    return mine && theirs && sameRow(mine, theirs)
      ? []
      : [
          {
            kind: mine && ledger.stranded.has(mine) ? "not sent again" : "apart",
            words: `${device.name} holds another ${id} than the server.`,
          },
        ];
  });

const sameRow = (one: Row, other: Row): boolean =>
  Date.parse(one.updated_at) === Date.parse(other.updated_at) &&
  (one.deleted_at === null) === (other.deleted_at === null) &&
  Bun.deepEquals(one.payload, other.payload);

/** What an agent filed must stay an agent's. */
const strangers = ({ ledger, person }: World, rows: ReadonlyMap<string, Row>): readonly Finding[] =>
  [...rows.values()].flatMap(({ payload }) =>
    [...(payload.pages ?? []), ...(payload.notes ?? [])].flatMap((child) => {
      const token = ledger.tokens.get(/\bk\d+\b/.exec(child.url ?? child.text ?? "")?.[0] ?? "");
      if (!token || !person.keys.has(token.by) || child.created_by === "agent") return [];
      return [
        { kind: "wrong author", words: `${token.token} is not shown as an agent's.` } as const,
      ];
    }),
  );

/** What only the extension knows of a task stays in it. */
const forgotten = ({ ledger, tasks }: World, rows: ReadonlyMap<string, Row>): readonly Finding[] =>
  [...rows.values()].flatMap(({ id, payload, deleted_at }) => {
    if (deleted_at !== null || !ledger.marked.has(id) || payload.mark === id) return [];
    return [{ kind: "lost", words: `The mark of t${tasks.indexOf(id) + 1} is lost.` } as const];
  });

const findingOf = async (
  world: World,
  rows: ReadonlyMap<string, Row>,
  token: Token,
  isTold: Teller,
): Promise<Finding | null> => {
  const { ledger } = world;
  const name = nameOf(world, token);
  if (isBack(ledger, rows, token)) return { kind: "back", words: `${name} is back.` };
  const by = setBackBy(ledger, rows, token);
  if (by !== null) {
    const isPlain = world.devices.get(by)?.habits.knows === "specification";
    return { kind: isPlain ? "set back" : "back", words: `${name} is back, which ${by} set back.` };
  }
  if (isThere(rows, token)) return null;
  const verdict = judge(ledger, rows, token);
  if (verdict === "lost" && ledger.unsent.has(token.token))
    return {
      kind: "not sent again",
      words: `${name} is lost to a restore that its device cannot notice.`,
    };
  if (verdict === "lost")
    return isKeptOver(ledger, token)
      ? { kind: "kept", words: `${name} is lost to an edit that its device kept over it.` }
      : { kind: "lost", words: `${name} is lost.` };
  if (verdict !== "lost a fair last write wins" || ledger.restored > 0) return null;
  return (await isTold(token))
    ? null
    : { kind: "lost untold", words: `${name} lost a fair race, and history does not show it.` };
};

/** Whether the history of a task in which the token ever stood shows it. */
type Teller = (token: Token) => Promise<boolean>;

/** Asks for the history of each task once. */
const newTeller = (world: World): Teller => {
  const histories = new Map<string, Promise<string>>();
  return async ({ token, task }) => {
    const edits = world.ledger.edits.filter(({ holds, reached }) => reached && holds.has(token));
    for (const one of new Set([task, ...edits.map((edit) => edit.task)])) {
      const told = histories.get(one) ?? historyOf(world, one);
      histories.set(one, told);
      if (new RegExp(`\\b${token}\\b`).test(await told)) return true;
    }
    return false;
  };
};

const nameOf = (world: World, { token, place, task, by }: Token): string =>
  `${place} ${token} of ${by} (t${world.tasks.indexOf(task) + 1})`;
