import { type Row, tokensIn } from "./content.ts";
import { type Edit, type Ledger, sightOf, type Token } from "./ledger.ts";

/** What became of a token. */
export type Verdict =
  | "is there"
  | "removed by someone who had seen it"
  | "taken away by a restore"
  | "lost a fair last write wins"
  | "lost";

/** Judges a token by what people did and by what the server holds in the end, and by nothing in between. */
export const judge = (ledger: Ledger, rows: ReadonlyMap<string, Row>, token: Token): Verdict => {
  if (isThere(rows, token)) return "is there";
  if (ledger.restoredAway.has(token.token)) return "taken away by a restore";
  if (isRemoved(ledger, token)) return "removed by someone who had seen it";
  return lostToConflict(ledger, token) || lostBetweenDevices(ledger, token)
    ? "lost a fair last write wins"
    : "lost";
};

/**
 * Whether a device of the specification alone was given the token, and then pushed what it had made before that without
 * it. No server can tell that from taking the token away. Where it had seen the token before, that was in another task: an
 * edit of this one would hold it.
 */
export const isKeptOver = (ledger: Ledger, { token }: Token): boolean =>
  ledger.kept.some(({ by, task, tokens, order }) => {
    const sight = sightOf(ledger, by, token);
    return (
      tokens.has(token) &&
      ledger.edits.some(
        (edit) =>
          edit.by === by &&
          edit.task === task &&
          !edit.holds.has(token) &&
          (sight < order || edit.order < sight) &&
          (edit.reached?.order ?? 0) > order,
      )
    );
  });

/** In a deleted task too: it comes back with the task. */
export const isThere = (rows: ReadonlyMap<string, Row>, { place, task, token }: Token): boolean => {
  const row = rows.get(task);
  if (place === "title" || place === "colour") return row?.payload[place] === token;
  return [...rows.values()].some(({ payload }) => tokensIn(payload).has(token));
};

const isField = ({ place }: Token): boolean => place === "title" || place === "colour";

const isRemoved = (ledger: Ledger, token: Token): boolean =>
  ledger.removals.some((removal) => removal.token === token.token) ||
  wasReplaced(ledger, token) ||
  wasDeleted(ledger, token);

/** Someone who had seen the value of a field gave it another one. */
const wasReplaced = (ledger: Ledger, token: Token): boolean =>
  rivalsOf(ledger, token).some((rival) => sightOf(ledger, rival.by, token.token) < rival.order);

const rivalsOf = (ledger: Ledger, token: Token): readonly Token[] =>
  isField(token)
    ? [...ledger.tokens.values()].filter(
        (other) => other !== token && other.task === token.task && other.place === token.place,
      )
    : [];

/** Someone deleted the task with the token in it, and nobody brought it back so. */
const wasDeleted = (ledger: Ledger, token: Token): boolean =>
  ledger.edits.some(
    (edit) =>
      edit.isDeleted &&
      edit.holds.has(token.token) &&
      !ledger.edits.some(
        (later) =>
          later.order > edit.order &&
          later.task === edit.task &&
          !later.isDeleted &&
          later.holds.has(token.token),
      ),
  );

/**
 * Two set the same field, and neither knew of the other: one of the values must go. Of two devices the later one
 * wins. Where one wrote over REST, the other must have come to the server after it.
 */
const lostToConflict = (ledger: Ledger, token: Token): boolean =>
  lostToSetBack(ledger, token) ||
  rivalsOf(ledger, token).some((rival) => {
    // After a restore, what devices send again may come before or after what has been written since.
    if ([token, rival].some((one) => ledger.resent.has(one.token))) return true;
    if (sightOf(ledger, token.by, rival.token) < token.order) return false;
    if (token.over === "sync" && rival.over === "sync") {
      const [mine, theirs] = [firstEdit(ledger, token), firstEdit(ledger, rival)];
      return !mine || (theirs !== undefined && beats(theirs, mine));
    }
    return arrivalOf(ledger, rival) > arrivalOf(ledger, token) || token.over === "sync";
  });

/** Somebody who had not seen the value set the field back to an older one: that is a value like any other. */
const lostToSetBack = (ledger: Ledger, token: Token): boolean =>
  ledger.setBacks.some(({ task, place, edit }) => {
    if (task !== token.task || place !== token.place) return false;
    const pushed = pushOf(ledger, edit);
    const mine = firstEdit(ledger, token);
    if (pushed === undefined) return false;
    return mine ? beats(pushed, mine) : arrivalIn(pushed) > arrivalOf(ledger, token);
  });

/** The first edit from this one on with which the device reached the server: it has what was done in this one. */
const pushOf = ({ edits }: Ledger, { by, task, order }: Edit): Edit | undefined =>
  edits.find(
    (one) => one.by === by && one.task === task && one.order >= order && one.reached !== null,
  );

const arrivalIn = ({ reached }: Edit): number => reached?.order ?? 0;

/**
 * Whether a value that is there again was set back by hand to one that the record had had before, by whom, and nobody
 * gave it since.
 */
export const setBackBy = (
  ledger: Ledger,
  rows: ReadonlyMap<string, Row>,
  token: Token,
): string | null => {
  const row = rows.get(token.task);
  if (!row || row.deleted_at !== null || token.over === "sync" || !isThere(rows, token))
    return null;
  const edits = ledger.edits.filter((one) => one.task === token.task && one.reached !== null);
  const found = ledger.setBacks.find(
    ({ task, place, token: gone, edit }) =>
      task === token.task &&
      place === token.place &&
      gone === token.token &&
      pushOf(ledger, edit) !== undefined &&
      edit.order > ledger.restored &&
      edit.order > (ledger.heard.get(edit.by) ?? 0) &&
      !ledger.revivals.some((one) => one.task === task) &&
      !edits.some((one) => one.by !== edit.by && beats(one, edit)),
  );
  return found?.edit.by ?? null;
};

/** The edit with which a device put a token there. */
const firstEdit = (ledger: Ledger, { token, by }: Token): Edit | undefined =>
  ledger.edits.find((edit) => edit.by === by && edit.holds.has(token) && edit.reached !== null);

const arrivalOf = (ledger: Ledger, token: Token): number =>
  token.over === "REST" ? token.order : (firstEdit(ledger, token)?.reached?.order ?? 0);

/**
 * Between devices the later edit of a task wins, whole. So a device's token may go where another device, which had
 * not seen it, edited the task no earlier, and no device that had it edited the task later than all that had not.
 */
const lostBetweenDevices = (ledger: Ledger, token: Token): boolean => {
  if (token.over === "REST" && !ledger.leftToDevices.has(token.token)) return false;
  const tasks = new Set(holdersOf(ledger, token).map(({ task }) => task));
  return [...tasks].some((task) => {
    const edits = ledger.edits.filter((edit) => edit.task === task && edit.reached !== null);
    const holders = edits.filter((edit) => edit.holds.has(token.token));
    const others = edits.filter(
      (edit) => !edit.holds.has(token.token) && mayTake(ledger, edit, token, holders),
    );
    // It may have seen it before, if it has since taken over a version without it.
    const isUnseen = (edit: Edit): boolean =>
      !ledger.removals.some(
        ({ token: removed, by, order }) =>
          removed === token.token && by === edit.by && order <= edit.order,
      );
    return (
      others.some((edit) => isUnseen(edit) && holders.some((holder) => beats(edit, holder))) &&
      holders.every(
        (holder) =>
          holder.isResent || isOutrun(edits, holder) || others.some((edit) => beats(edit, holder)),
      )
    );
  });
};

/**
 * After a restore a tab or note that the server had confirmed to a device is not lost to the order in which devices come
 * back: an edit of before takes it from nobody, and one that was made since only if it came after the device that had it.
 */
const mayTake = (
  { confirmed, heard, restored }: Ledger,
  edit: Edit,
  { token }: Token,
  holders: readonly Edit[],
): boolean => {
  if (!confirmed.has(token) || edit.isDeleted) return true;
  const noticed = heard.get(edit.by) ?? 0;
  const back = holders.flatMap(({ reached }) =>
    reached && reached.order > restored ? [reached.order] : [],
  );
  return (
    noticed > restored && edit.order > noticed && (edit.reached?.order ?? 0) > Math.min(...back)
  );
};

/** Of edits that are ahead of the server's clock, only those further ahead than the last one count for a day. */
const isOutrun = (edits: readonly Edit[], edit: Edit): boolean =>
  isAhead(edit) &&
  edits.some((other) => other !== edit && isAhead(other) && other.stamp >= edit.stamp);

/** Whether an edit is no earlier than another. Of two whose clocks ran ahead, what their clocks said may count too. */
const beats = (edit: Edit, other: Edit): boolean =>
  (edit.reached?.stamp ?? 0) >= (other.reached?.least ?? 0) ||
  (isAhead(edit) && isAhead(other) && edit.stamp >= other.stamp);

const isAhead = ({ reached }: Edit): boolean => reached?.isAhead ?? false;

const holdersOf = (ledger: Ledger, { token }: Token): readonly Edit[] =>
  ledger.edits.filter((edit) => edit.holds.has(token) && edit.reached !== null);

/**
 * Whether a token is back: one that an undo took away, or a tab or note that someone took away who had seen it, although nobody put it there again (no move, no
 * revival, no restore) and no other device edited the task later.
 */
export const isBack = (ledger: Ledger, rows: ReadonlyMap<string, Row>, token: Token): boolean =>
  isThere(new Map([...rows].filter(([, row]) => row.deleted_at === null)), token) &&
  ledger.removals.some(({ token: removed, task, by, order, edit }) => {
    if (removed !== token.token || order < ledger.restored) return false;
    // What the device had seen, a restore may have taken from the server's memory.
    if (order < (ledger.heard.get(by) ?? 0)) return false;
    if (isField(token) && edit !== null) return false;
    if (ledger.moves.some((move) => move.token === removed)) return false;
    const edits = ledger.edits.filter((one) => one.task === task && one.reached !== null);
    if (edits.some((one) => one.order > order && revives(ledger, one))) return false;
    if (ledger.revivals.some((one) => one.task === task && reachesAfter(edits, one, order)))
      return false;
    if (edit !== null) return !edits.some((one) => one.by !== by && beats(one, edit));
    // A person may set a field by hand to what was undone.
    return !ledger.setBacks.some(({ edit: one }) => one.order > order && one.holds.has(removed));
  });

/** Whether somebody un-deleted a task after this, or before it, and the server heard of that after it. */
const reachesAfter = (
  edits: readonly Edit[],
  revival: Ledger["revivals"][number],
  order: number,
): boolean =>
  revival.order > order ||
  edits.some(
    ({ by, reached, ...edit }) =>
      by === revival.by && edit.order >= revival.order && reached !== null && reached.order > order,
  );

/** A task was deleted by this device before, and is alive in this edit. */
const revives = (ledger: Ledger, edit: Edit): boolean =>
  !edit.isDeleted &&
  ledger.edits.some((one) => one.isDeleted && one.task === edit.task && one.order < edit.order);
