import { type Client, openClient } from "../../../src/client/client.ts";
import type { Edit } from "../../../src/client/edit.ts";
import type { Instant } from "../../../src/domain/base/instant.ts";
import { type Payload, type Row, tokensIn } from "../../model/witness/content.ts";
import { type Edit as LedgerEdit, learn, reach, see } from "../../model/witness/ledger.ts";
import type { PushReply } from "../../model/witness/wire.ts";
import type { World } from "../../model/witness/world.ts";
import { newBrowser } from "./browser.ts";
import { type Line, newAddress, newLine, requestOver } from "./person.ts";

/** A browser with the web app's core, in a world of the second model, whose ledger notes all that it does. */
export type Device = {
  readonly name: string;
  readonly line: Line;
  readonly world: World;
  client: Client;
  /** Resolves when the program runs. */
  running: Promise<void>;
  /** Edits that the server did not take as they were. */
  readonly refused: Set<LedgerEdit>;
  /** Whether the last pull that this program asked for was one from nothing. */
  asksForAll: boolean;
  /** Ends the program in the middle of whatever it does, and starts it again on the same store. */
  readonly crash: () => Promise<void>;
};

export const newDevice = async (world: World, name: string, skew: number): Promise<Device> => {
  const line = newLine(world.server.url, world.person.sessions.get(name) ?? "");
  line.onRequest = (path, init) => noteRequest(device, path, init);
  line.onReply = (_path, init, body) => noteReply(device, init, body);
  const [browser, server] = [newBrowser(), newAddress()];
  const open = async (): Promise<Client> => {
    const client = await openClient(
      {
        account: { id: "1", email: world.person.email },
        server,
        request: requestOver(line),
        now: () => world.time + skew,
        newId: () => crypto.randomUUID(),
      },
      browser,
    );
    await client.whole;
    client.subscribe(noteSights(world, name, client));
    return client;
  };
  const device: Device = {
    name,
    line,
    world,
    client: await open(),
    running: Promise.resolve(),
    refused: new Set(),
    asksForAll: false,
    crash: () => {
      device.client.close();
      device.asksForAll = false;
      return (device.running = open().then((client) => {
        device.client = client;
      }));
    },
  };
  return device;
};

/** Whoever is shown a token has seen it. */
const noteSights = ({ ledger }: World, name: string, client: Client) => {
  const known = new Set<object>();
  return (): void => {
    const { tasks, deletedTasks } = client.state();
    for (const task of [...tasks.values(), ...deletedTasks.values()]) {
      if (known.has(task.payload)) continue;
      known.add(task.payload);
      see(ledger, name, tokensIn(task.payload as Payload));
    }
  };
};

/** All that the device shows, as rows of sync. */
export const rowsOf = ({ client }: Device): ReadonlyMap<string, Row> => {
  const { tasks, deletedTasks } = client.state();
  return new Map(
    [...tasks.values(), ...deletedTasks.values()].map((task) => [
      task.id,
      {
        id: task.id,
        updated_at: task.updatedAt,
        deleted_at: task.deletedAt,
        payload: task.payload as Payload,
      },
    ]),
  );
};

/** The person makes an edit. Returns what the ledger notes of each task in it. */
export const edit = async (
  device: Device,
  tasks: readonly string[],
  edits: readonly Edit[],
): Promise<readonly LedgerEdit[]> => {
  const { ledger } = device.world;
  await device.client.edit("An edit", edits);
  const rows = rowsOf(device);
  return tasks.flatMap((task): readonly LedgerEdit[] => {
    const row = rows.get(task);
    if (row === undefined) return [];
    const noted: LedgerEdit = {
      order: ledger.order++,
      by: device.name,
      task,
      holds: tokensIn(row.payload),
      isDeleted: row.deleted_at !== null,
      isResent: false,
      stamp: Date.parse(row.updated_at),
      reached: null,
    };
    ledger.edits.push(noted);
    return [noted];
  });
};

type Pushed = {
  readonly id: string;
  readonly updated_at: string;
  readonly payload: Payload;
  readonly deleted_at: string | null;
  readonly base_updated_at?: string;
  /** Absent if the server judges what wins. */
  readonly expected_updated_at?: string | null;
};

/** Notes when a pull from nothing was stored. */
const noteRequest = (device: Device, path: string, { method }: RequestInit): void => {
  if (method === "POST") return;
  const { ledger } = device.world;
  const asksForAll = !path.includes("since=");
  // It goes on from what it was given, so it has stored that.
  if (device.asksForAll && !asksForAll) ledger.heard.set(device.name, ledger.order++);
  device.asksForAll = asksForAll;
};

/** A push has reached the server: what that has taken counts from now on. The rows in a reply say what the newest stamps are. */
const noteReply = (device: Device, { method, body }: RequestInit, text: string): void => {
  if (method !== "POST") return;
  const { ledger, server } = device.world;
  const { rejected } = JSON.parse(text) as PushReply;
  const stale = new Set(
    rejected.flatMap(({ reason, server_row: { id } }) => (reason === "stale" ? id : [])),
  );
  for (const row of JSON.parse(body as string) as readonly Pushed[]) {
    const stamp: Instant = Date.parse(row.updated_at);
    const isResent = row.updated_at === row.base_updated_at;
    const own = ledger.edits.filter(({ by, task }) => by === device.name && task === row.id);
    const made = own.find((one) => one.stamp === stamp);
    // Made again on a later version, it is still an edit of the time at which the person made it.
    const original = made ?? own.findLast((one) => !one.isResent);
    // The server takes nothing of an edit on top of a version that is not the latest. The device makes it again.
    if (stale.has(row.id) && row.expected_updated_at !== undefined && !isResent) {
      if (original) device.refused.add(original);
      continue;
    }
    if (!isResent && original) reach(ledger, original, server.now());
    reach(ledger, (isResent ? null : made) ?? another(device, row, stamp, isResent), server.now());
  }
  for (const { server_row } of rejected)
    learn(ledger, server_row.id, Date.parse(server_row.updated_at));
};

/** What is sent and nobody edited here: after a restore; or an edit, made again on a later version. */
const another = (
  { name, world: { ledger } }: Device,
  row: Pushed,
  stamp: Instant,
  isResent: boolean,
): LedgerEdit => {
  const noted: LedgerEdit = {
    order: ledger.order++,
    by: name,
    task: row.id,
    holds: tokensIn(row.payload),
    isDeleted: row.deleted_at !== null,
    isResent,
    stamp,
    reached: null,
  };
  ledger.edits.push(noted);
  return noted;
};

/** Syncs, as when the line is there for a moment. */
export const sync = async (device: Device): Promise<void> => {
  device.line.fate = "answered";
  await device.client.sync();
  await device.running;
  noteStart(device);
  noteGivenUp(device);
  device.line.fate = "request lost";
  device.line.meanwhile = () => Promise.resolve();
};

/** A pull from nothing is stored when nothing is left to sync. */
const noteStart = (device: Device): void => {
  const { client, name, world } = device;
  if (!device.asksForAll || client.state().sync.kind !== "idle") return;
  device.asksForAll = false;
  world.ledger.heard.set(name, world.ledger.order++);
};

/** Of some edits nothing was left to send, because what others did is later. */
const noteGivenUp = ({ client, refused, world: { ledger, server } }: Device): void => {
  const { tasks, deletedTasks } = client.state();
  for (const one of refused) {
    if ((tasks.get(one.task) ?? deletedTasks.get(one.task))?.waits === true) continue;
    reach(ledger, one, server.now());
    refused.delete(one);
  }
};
