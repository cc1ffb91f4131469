import { type Client, openClient } from "../../src/client/client.ts";
import type { Edit } from "../../src/client/edit.ts";
import type { Instant } from "../../src/domain/base/instant.ts";
import { type Payload, type Row, tokensIn } from "../model/witness/_content.ts";
import { type Edit as LedgerEdit, learn, reach, see } from "../model/witness/_ledger.ts";
import type { PushReply } from "../model/witness/_wire.ts";
import type { World } from "../model/witness/_world.ts";
import { newBrowser } from "./_browser.ts";
import { type Line, newAddress, newLine, requestOver } from "./_person.ts";

/** A browser with the web app's core, in a world of the second model, whose ledger notes all that it does. */
export type Device = {
  readonly name: string;
  readonly line: Line;
  readonly world: World;
  client: Client;
  /** Resolves when the program runs. */
  running: Promise<void>;
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
};

/** A push reaches the server: its edits count from now on. */
const noteRequest = (device: Device, path: string, { method, body }: RequestInit): void => {
  const { ledger, server } = device.world;
  if (method !== "POST") {
    const asksForAll = !path.includes("since=");
    // It goes on from what it was given, so it has stored that.
    if (device.asksForAll && !asksForAll) ledger.heard.set(device.name, ledger.order++);
    device.asksForAll = asksForAll;
    return;
  }
  for (const row of JSON.parse(body as string) as readonly Pushed[]) {
    const stamp: Instant = Date.parse(row.updated_at);
    const made = ledger.edits.find(
      ({ by, task, stamp: of }) => by === device.name && task === row.id && of === stamp,
    );
    reach(ledger, made && waits(device, row.id) ? made : resent(device, row, stamp), server.now());
  }
};

/** The rows in a reply say what the newest stamps are. */
const noteReply = ({ world: { ledger } }: Device, { method }: RequestInit, body: string): void => {
  if (method !== "POST") return;
  for (const { server_row } of (JSON.parse(body) as PushReply).rejected)
    learn(ledger, server_row.id, Date.parse(server_row.updated_at));
};

const waits = ({ client }: Device, id: string): boolean => {
  const { tasks, deletedTasks } = client.state();
  return (tasks.get(id) ?? deletedTasks.get(id))?.waits === true;
};

/** After a restore, rows are sent that nobody edited here. */
const resent = ({ name, world: { ledger } }: Device, row: Pushed, stamp: Instant): LedgerEdit => {
  const noted: LedgerEdit = {
    order: ledger.order++,
    by: name,
    task: row.id,
    holds: tokensIn(row.payload),
    isDeleted: row.deleted_at !== null,
    isResent: true,
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
