import { loadDriver } from "./connect.ts";
import type { Sent } from "./driver.ts";

// Of all servers on one database, one works and the others stand by. A lock of the connection says which, so the database
// itself frees it when that server or its machine is gone. A row says so too, and every write locks that row first: a server that
// was replaced without noticing can write nothing more.

/** What a server has while it is the one that works. */
export type Lead = {
  /** What stands in the row that every write locks. */
  readonly holder: string;
  /** Lets the next server work. */
  readonly end: () => Promise<void>;
};

export type Leading = {
  /** Called once if another server works now: this one waits. What it throws ends the waiting. */
  readonly onWait: () => void;
  /** Called once if this server may no longer work. It must stop, and may ask again. */
  readonly onLost: () => void;
};

/** The key of the lock, by which no other program would ask for one. */
const LOCK = 3_625_001;
/** In ms: how often a server that stands by asks, and how often one that works makes sure that its lock is still there. */
const [ASKS, LOOKS] = [500, 2_000];
/** How long the look may take, in ms. */
const PATIENCE = 5_000;

const statement = (text: string, values: readonly unknown[] = []): Sent => ({
  text,
  values,
  asLists: true,
});

/** Waits until this server is the one that works on the database. Rejects if the database cannot be reached. */
export const takeLead = async (url: string, { onWait, onLost }: Leading): Promise<Lead> => {
  let isLeading = false;
  const lose = (): void => {
    clearInterval(timer);
    if (isLeading) onLost();
    isLeading = false;
  };
  const { openLine } = await loadDriver();
  const line = await openLine(url, lose);
  const look = async (): Promise<void> => {
    const answered = line.query(statement("select 1")).then(
      () => true,
      () => false,
    );
    if (!(await Promise.race([answered, Bun.sleep(PATIENCE).then(() => false)]))) lose();
  };
  const timer = setInterval(() => void look(), LOOKS);
  timer.unref();
  const holder = Bun.randomUUIDv7();
  let hasWaited = false;
  const ask = async (): Promise<boolean> => {
    const { rows } = await line.query(statement(`select pg_try_advisory_lock(${LOCK})`));
    return (rows[0] as readonly unknown[])[0] === 1;
  };
  const end = async (): Promise<void> => {
    isLeading = false;
    clearInterval(timer);
    await line.close();
  };
  try {
    while (!(await ask())) {
      if (!hasWaited) onWait();
      hasWaited = true;
      await Bun.sleep(ASKS);
    }
    // Waits for what the server before is just writing.
    await line.query(statement("update docket set holder = $1", [holder]));
    isLeading = true;
  } catch (error) {
    await end();
    throw error;
  }
  return { holder, end };
};

/** Returns who works on the database, and keeps it so until the transaction ends: one write after the other, by all processes. */
export const HOLDER = statement("select holder from docket for update");
