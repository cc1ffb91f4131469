import type { Script } from "./script.ts";

/** A known fault as the shortest history that shows it. The numbers are those under which `witness.test.ts` lists it. */
export type Fault = Script & {
  readonly number: string;
  readonly what: string;
};

const TWO = "A creates t1 k1, A pulls, B pulls";
/** Two devices far behind, whose edits get the stamp that follows the one of the row. */
const SAME =
  "B creates t1 k1, B pulls, A pulls, ann tab t1 k9, A pulls, B pulls, B title t1 k2, B pulls, A colour t1 k3, A pulls, cat title t1 k4, A colour t1 k5, A pulls, B pulls";
const ONE = "A creates t1 k1, A pulls";
const RESTORED =
  "server backup, C creates t1 k10, C pulls, A pulls, A title t1 k20, server restored, A pulls, ann colour t1 k30";
const MINUTE = 60_000;

/** `pulls` is what the guide calls a sync: what waits is pushed first. */
export const FAULTS: readonly Fault[] = [
  {
    number: "R1",
    what: "a device deletes a task, has not seen an agent's tab, and un-deletes it",
    happens: `${ONE}, bot tab t1 k2, A deletes t1, A pulls, A revives t1`,
  },
  {
    number: "R1",
    what: "the same with a person's tab over REST",
    happens: `${ONE}, ann tab t1 k2, A deletes t1, A pulls, A revives t1`,
  },
  {
    number: "R1",
    what: "the same with an agent's title",
    happens: `${ONE}, bot title t1 k2, A deletes t1, A pulls, A revives t1`,
  },
  {
    number: "R1",
    what: "another device, which saw only the deletion, un-deletes it",
    happens: `${TWO}, bot tab t1 k2, A deletes t1, A pulls, B pulls, B revives t1, B pulls`,
  },
  {
    number: "R1",
    what: "another device, which did not know the task before, un-deletes it",
    happens: `${ONE}, bot tab t1 k2, A deletes t1, A pulls, B pulls, B revives t1, B pulls`,
  },
  {
    number: "R2",
    what: "a device moves an agent's tab, and another one edits the task where it now is",
    happens: `A creates t1 k1, A creates t2 k2, A pulls, B pulls, bot tab t1 k3, A pulls, A moves k3 t1 t2, A pulls, B title t2 k4, B pulls`,
  },
  {
    number: "R3",
    what: "an edit older than the row resets a colour that a device and then an agent changed",
    happens: `${TWO}, A colour t1 k2, B tab t1 k3, A pulls, bot colour t1 k4, B pulls`,
  },
  {
    number: "R3",
    what: "an edit newer than the row resets it too",
    happens: `${TWO}, A colour t1 k3, A pulls, bot colour t1 k4, B tab t1 k2, B pulls`,
  },
  {
    number: "R3",
    what: "a device's edit older than a person's over REST is lost",
    happens: `${ONE}, A tab t1 k2, ann colour t1 k3, A pulls`,
  },
  {
    number: "R3",
    what: "what a person wrote over REST is lost to an edit that did not know of it",
    happens: `${ONE}, ann colour t1 k3, A tab t1 k2, A pulls`,
  },
  {
    number: "R4",
    what: "after a kill, an agent's tab comes back that a device removed",
    happens: `${ONE}, server killed, bot tab t1 k2, A pulls, A removes t1 k2, A pulls`,
  },
  {
    number: "R4",
    what: "after a kill, an agent's title is lost to an edit that did not know of it",
    happens: `${ONE}, A pulls, server killed, bot title t1 k2, A colour t1 k3, A pulls`,
  },
  {
    number: "R4",
    what: "after a clock that was a day ahead, an agent's tab comes back that a device removed",
    happens: `${ONE}, server clock 1440, A pulls, server clock 0, bot tab t1 k2, A pulls, server waits 60, A removes t1 k2, A pulls`,
  },
  {
    number: "R4",
    what: "after an undo, an agent's tab comes back that a device removed",
    happens: `${ONE}, bot tab t1 k2, owner undoes bot, cat tab t1 k3, A pulls, A removes t1 k3, A pulls`,
  },
  {
    number: "R4",
    what: "a device with a slow clock cannot remove an agent's tab",
    habits: { A: { skew: -60 * MINUTE } },
    happens: `${ONE}, bot tab t1 k2, A pulls, A removes t1 k2, A pulls`,
  },
  {
    number: "R4",
    what: "while the server's clock is behind, an agent's colour is lost to an edit",
    happens: `${ONE}, bot colour t1 k2, A pulls, A tab t1 k3, cat colour t1 k4, server clock -1440, A pulls`,
  },
  {
    number: "R5",
    what: "after a restore, a device sends an agent's tab again, and another one's edit wipes it",
    happens: `${TWO}, server backup, bot tab t1 k2, A pulls, B title t1 k3, server restored, A pulls, A pulls, B pulls`,
  },
  {
    number: "R6",
    what: "a device that knows the specification alone is not told of what was merged",
    habits: { A: { knows: "specification" } },
    happens: `A creates t1 k1, A pushes, A pulls, bot tab t1 k2, A title t1 k3, A pushes, A title t1 k4, A pulls, A pushes, A title t1 k5, A pulls, A pushes`,
  },
  {
    number: "R7",
    what: "there is an edit while a pull is on its way, and the device forgets the reply, as the guide says",
    happens: `${ONE}, bot tab t1 k2, A pulls+title t1 k3, A pulls`,
  },
  {
    number: "kept",
    what: "against the guide, the device keeps the edit and the reply",
    habits: { A: { onCollision: "keep the edit" } },
    happens: `${ONE}, bot tab t1 k2, A pulls+title t1 k3, A pulls`,
  },
  {
    number: "R10",
    what: "a clamped push, tried again later, takes back another fast device's later edit",
    habits: { A: { resends: false, skew: 15 * MINUTE }, B: { skew: 21 * MINUTE } },
    happens: `${TWO}, A title t1 k2, A pushes lost, B pulls, B title t1 k3, B pulls, server waits 20, A repeats`,
  },
  {
    number: "R10",
    what: "a push that was stale beside a clamped one, tried again later, takes back what an agent wrote since",
    habits: { A: { resends: false, skew: 15 * MINUTE }, B: { skew: 21 * MINUTE } },
    happens: `${TWO}, B tab t1 k2, B pulls, A colour t1 k3, A pushes lost, cat colour t1 k4, server waits 20, A repeats`,
  },
  {
    number: "same",
    what: "two devices remove the same tab, and an edit on the version of the first takes back an agent's colour",
    happens: `${TWO}, cat colour t1 k6, ann tab t1 k2, B pulls, C pulls, A title t1 k5, B removes t1 k2, B pushes, A pushes, C removes t1 k2, C pushes, cat colour t1 k3, A note t1 k4, A pushes`,
  },
  {
    number: "restore",
    what: "an edit on a version that only the device knows, after a restore, takes an agent's note away",
    habits: { B: { resends: false } },
    happens: `${TWO}, cat note t1 k2, server backup, B title t1 k3, B pushes lost, B tab t1 k4, server restored`,
  },
  {
    number: "restore",
    what: "after a second restore, a device sends again what it wrote after the first",
    happens: `${ONE}, server backup, server restored, cat title t1 k2, A colour t1 k3, A pulls, server backup, A title t1 k4, A pulls, server restored`,
  },
  {
    number: "restore",
    what: "an agent's tab in a task that a restore took is lost to a device that did not know of it",
    happens: `${TWO}, server backup, B creates t2 k2, B pulls, A pulls, bot tab t2 k3, A pulls, server restored, A title t2 k4, B colour t2 k5, A pulls, B pulls`,
  },
  {
    number: "restore",
    what: "a version from after a restore has the stamp of a lost one, and an edit of that one takes an agent's tab away",
    habits: { A: { skew: 4 * MINUTE }, B: { skew: 4 * MINUTE - 6_000 } },
    happens: `${TWO}, server backup, A title t1 k2, A pulls, server restored, bot tab t1 k3, B pulls, B pulls, B colour t1 k4, B pulls, A note t1 k5, A pulls`,
  },
  {
    number: "restore",
    what: "a task is newer than the backup: one device brings it back, a person changes a field, another device leaves it",
    happens: `A pulls, B pulls, server backup, A creates t1 k1, A pulls, B pulls, A colour t1 k2, server restored, A pushes, B title t1 k3, ann colour t1 k4, B pulls, A pulls`,
  },
  {
    number: "restore",
    what: "an edit of a push that was merged after a restore, of which the device heard nothing",
    habits: { B: { resends: false } },
    happens: `${TWO}, ann tab t1 k2, server backup, B colour t1 k3, server restored, B pushes lost, B title t1 k4, B pulls, A pulls`,
  },
  {
    number: "restore",
    what: "a merged push is sent again after a restore, gets the stamp that it got before, and an older removal follows",
    habits: { B: { skew: 4 * MINUTE } },
    happens: `${TWO}, bot title t1 k2, B note t1 k3, server backup, B pulls, B removes t1 k3, server restored, cat tab t1 k4, B repeats, B pulls, A pulls`,
  },
  {
    number: "again",
    what: "an edit of a version that was refused as stale, and an agent sets a field since that this had changed",
    habits: { B: { resends: false } },
    happens: `${TWO}, B colour t1 k2, A colour t1 k3, A pushes, B pushes lost, B title t1 k4, cat colour t1 k5, B pulls, A pulls`,
  },
  {
    number: "again",
    what: "an edit of a version that was refused as stale, and in which a tab was taken away",
    habits: { B: { resends: false } },
    happens: `${ONE}, bot tab t1 k2, A pulls, B pulls, B removes t1 k2, A title t1 k3, A pushes, B pushes lost, B colour t1 k4, B pulls, A pulls`,
  },
  {
    number: "again",
    what: "a version that has been replaced is sent again, and an edit of it follows, which left a field that an agent set",
    happens: `${TWO}, A colour t1 k2, B title t1 k3, A pulls, bot colour t1 k4, B pushes, A title t1 k5, A repeats, A pulls, B pulls`,
  },
  {
    number: "clamp",
    what: "a device does not hear that its edit was clamped, and a tab that is filed then gets the stamp that it had sent",
    habits: { B: { resends: false, skew: -4 * MINUTE } },
    happens: `${TWO}, server clock -60, B tab t1 k2, B colour t1 k3, B pushes lost, B title t1 k4, cat tab t1 k5, B pulls, A pulls`,
  },
  {
    number: "again",
    what: "an edit of a version that was refused as stale, after an undo of the field that this had changed",
    habits: { B: { resends: false } },
    happens: `A creates t1 k1, A pulls, bot colour t1 k2, B pulls, server undoes bot, B colour t1 k3, A tab t1 k4, A pushes, B pushes lost, B title t1 k5, B pulls, A pulls`,
  },
  {
    number: "again",
    what: "an edit of a version that was clamped and merged, and that another device has replaced since",
    habits: { B: { resends: false, skew: 60 * MINUTE } },
    happens: `${TWO}, bot title t1 k2, A pulls, B tab t1 k3, B pushes, B title t1 k4, B pushes lost, B colour t1 k5, A note t1 k6, A pulls, B pulls`,
  },
  {
    number: "tie",
    what: "the server's clock was a day ahead, and two devices' edits get one stamp: either may win",
    happens: `${TWO}, server clock 1440, ann tab t1 k3, B note t1 k4, A tab t1 k5, B pulls, server clock -60, A pushes, B tab t1 k6, B pulls, A tab t1 k7`,
  },
  {
    number: "slow",
    what: "a device whose clock is slow edits again before the reply, and takes back an agent's title",
    habits: { A: { resends: false, skew: -4 * MINUTE } },
    happens: `${ONE}, server waits 2, cat note t1 k2, A pulls, A title t1 k3, A pushes lost, cat title t1 k4, A colour t1 k5, A pulls`,
  },
  {
    number: "merged",
    what: "a removal of what a push's reply brought comes back",
    happens: `${ONE}, A title t1 k2, bot tab t1 k3, A pushes, A removes t1 k3, A pulls`,
  },
  {
    number: "R11",
    what: "a late duplicate of an old push brings back an agent's tab that the device removed since",
    habits: { A: { names: "nothing" } },
    happens: `${ONE}, bot tab t1 k2, A pulls, A title t1 k3, A pulls, A removes t1 k2, A pulls, A repeats 2`,
  },
  {
    number: "R12",
    what: "after a late duplicate of its old push, a device's edit takes away what an agent filed meanwhile",
    habits: { A: { names: "nothing" } },
    happens: `${TWO}, bot tab t1 k2, bot tab t1 k3, bot tab t1 k4, B pulls, B title t1 k5, B pulls, A pulls, A pulls, cat tab t1 k6, cat colour t1 k7, A repeats, A title t1 k8, A pulls`,
  },
  {
    number: "R12",
    what: "the same with a device that knows the specification alone",
    habits: { A: { knows: "specification" } },
    happens: `A creates t1 k1, A pushes, A pulls, B pulls, bot tab t1 k2, bot tab t1 k3, bot tab t1 k4, B pulls, B title t1 k5, B pulls, A pulls, A pulls, cat tab t1 k6, cat colour t1 k7, A repeats, A title t1 k8, A pushes`,
  },
  {
    number: "R13",
    what: "a device deletes a task without having seen an agent's tab, another one's edit brings it back, and the first un-deletes it from memory",
    happens: `A creates t1 k1, A tab t1 k2, A pulls, B pulls, bot tab t1 k3, A deletes t1, A pulls, B title t1 k4, A recalls t1, B pulls, A pulls`,
  },
  {
    number: "R13",
    what: "the agent's tab comes between the deletion and its push, and the device un-deletes the task from memory",
    happens: `${ONE}, A deletes t1, bot tab t1 k2, A pulls, A recalls t1, A pulls`,
  },
  {
    number: "R14",
    what: "a push is lost on its way, and the next edit names it as its base and takes away what an agent filed meanwhile",
    habits: { A: { resends: false } },
    happens: `${ONE}, A pulls, A title t1 k2, A pushes lost-request, bot tab t1 k3, bot note t1 k4, bot colour t1 k5, A title t1 k6, A pulls`,
  },
  {
    number: "resent",
    what: "a merged push is sent again, and the edit after it takes back an agent's title that came since",
    happens: `${TWO}, B title t1 k2, cat tab t1 k3, B pushes lost, A note t1 k4, cat title t1 k5, B tab t1 k6, A pulls, B pulls`,
  },
  {
    number: "resent",
    what: "the same while the server's clock is behind, and a person's tab goes",
    happens: `${TWO}, B tab t1 k2, server clock 60, cat note t1 k3, A pulls, server clock -60, B pulls, ann tab t1 k4, A title t1 k5, A title t1 k6, A pushes lost, A colour t1 k7, A pulls`,
  },
  {
    number: "resent",
    what: "a lost push is sent again and merged, and a removal of a tab after it comes back",
    habits: { A: { skew: -1440 * MINUTE } },
    happens: `${ONE}, bot tab t1 k2, A pulls, A title t1 k3, A pushes lost-request, A removes t1 k2, cat note t1 k4, A pulls`,
  },
  {
    number: "R15",
    what: "after a restore, another device's edit of before comes first, and the only copy of a tab is dropped",
    happens: `${TWO}, server backup, A tab t1 k2, A pulls, B title t1 k3, server restored, B pushes, A pulls, A pulls`,
  },
  {
    number: "R15",
    what: "the same, but the device with the tab comes first",
    happens: `${TWO}, server backup, A tab t1 k2, A pulls, B title t1 k3, server restored, A pulls, A pulls, B pushes`,
  },
  {
    number: "set back",
    what: "a person sets an agent's title back by hand to the one before",
    happens: `${ONE}, bot title t1 k2, A pulls, A sets-back t1 title, A pulls`,
  },
  {
    number: "R16",
    what: "an agent's title is lost to one that a device of the specification alone had only been given",
    habits: { A: { knows: "specification" } },
    happens: `A creates t1 k1, A pushes, A pulls, B pulls, B title t1 k2, B pulls, A pulls, bot title t1 k3, A note t1 k4, A pushes`,
  },
  {
    number: "moved back",
    what: "an agent's note is moved to another task and back, beside a later edit of another device",
    happens: `A creates t1 k1, A creates t2 k2, A pulls, bot note t1 k3, B pulls, B moves k3 t1 t2, B pulls, B moves k3 t2 t1, A title t1 k4, A pulls, B pulls`,
  },
  {
    number: "moved back",
    what: "what an agent filed is undone, and a push from before is sent again and loses",
    happens: `${TWO}, cat tab t1 k2, A pulls, A tab t1 k3, A pushes lost-request, A note t1 k4, B colour t1 k5, B pulls, server undoes cat, A pulls`,
  },
  {
    number: "from memory",
    what: "a device deletes a task after an edit of its own, and un-deletes it from memory, without an agent's colour",
    happens: `${TWO}, B colour t1 k2, B pushes, B deletes t1, bot colour t1 k3, B pushes, B recalls t1, B pulls, A pulls`,
  },
  {
    number: "from memory",
    what: "a device deletes a task twice, and another one un-deletes it",
    happens: `${TWO}, cat tab t1 k2, A pulls, B deletes t1, B pulls, B recalls t1, B deletes t1, B pulls, A pulls`,
  },
  {
    number: "from memory",
    what: "a colour that a device set together with its deletion comes back with that, over an agent's",
    happens: `${TWO}, ann colour t1 k2, B colour t1 k3, B deletes t1, A pulls, B pulls, A sets-back t1 colour, A pulls, B revives t1, bot colour t1 k4, B pulls, A pulls`,
  },
  {
    number: "rev",
    what: "a push is stored and its reply is lost, and the next edit knows the revision before that alone",
    habits: { A: { names: "rev" } },
    happens: `${ONE}, A pulls, A colour t1 k2, A pushes lost, A tab t1 k3, bot colour t1 k4, A pulls`,
  },
  {
    number: "unnoticed",
    what: "a device is given a merged row, learns of a restore, and sends the row again after an undo took a tab out of it",
    happens: `B creates t1 k1, B pulls, A pulls, cat tab t1 k2, server backup, server restored, A title t1 k3, A pulls, server undoes cat, A pulls`,
  },
  {
    number: "one stamp",
    what: "two versions have one stamp, and an edit of the later one takes back an agent's title",
    habits: { A: { skew: 2_000 } },
    happens: `${TWO}, B title t1 k6, A colour t1 k8, B pushes, A tab t1 k10, B colour t1 k11, bot colour t1 k12, A pulls, B pushes, bot title t1 k16, B colour t1 k18, B pulls, A pulls`,
  },
  {
    number: "one stamp",
    what: "a device's refused version has the stamp of the one that it was given instead, and its next edit takes back an agent's title",
    habits: { A: { skew: -60 * MINUTE }, B: { skew: -60 * MINUTE } },
    happens: SAME,
  },
  {
    number: "one stamp",
    what: "the same with a device that names the revision",
    habits: { A: { skew: -60 * MINUTE, names: "rev" }, B: { skew: -60 * MINUTE, names: "rev" } },
    happens: SAME,
  },
  {
    number: "in a deletion",
    what: "a device's tab that it sent only with a deletion is lost to another one's edit, when it un-deletes the task",
    habits: { A: { names: "rev" }, B: { names: "rev" } },
    happens: `${TWO}, cat note t1 k8, A tab t1 k9, A deletes t1, A pushes, A revives t1, A pushes lost-request, B note t1 k35, B pulls, A colour t1 k43, A pulls, B pulls`,
  },
  {
    number: "from memory",
    what: "a device un-deletes a task of which it has not seen an agent's title, on which another device's edit was merged",
    habits: { B: { names: "nothing" }, C: { names: "nothing" } },
    happens: `A creates t1 k1, A pushes, A pulls, B pulls, C pulls, C colour t1 k8, bot title t1 k15, B deletes t1, C pushes, C pulls, B pushes, B pulls, B recalls t1, B pulls`,
  },
  {
    number: "met in a reply",
    what: "a device that has not noticed a restore is given a person's colour in the reply to a push, and sets another",
    happens: `${RESTORED}, A pushes, A colour t1 k34, A pulls`,
  },
  {
    number: "met in a reply",
    what: "the same with its title merged into the person's row",
    happens: `${RESTORED}, A title t1 k31, A pushes, A colour t1 k34, A pulls`,
  },
  {
    number: "renamed",
    what: "a merge leaves a task as it was under a later stamp, and a device names the version before when it removes an agent's tab",
    happens: `${ONE}, cat tab t1 k5, A deletes t1, server clock 1440, B pulls, A recalls t1, A pushes, B removes t1 k5, B pulls`,
  },
  {
    number: "met in a reply",
    what: "an agent files a tab before a restore and another one after it, each a ms later than a row that is ahead of the clock",
    happens: `${ONE}, server clock -60, server backup, bot tab t1 k25, A pulls, server restored, bot tab t1 k34, A pulls`,
  },
  {
    number: "one stamp",
    what: "a push is lost that has the stamp of an agent's tab, ahead of the server's clock, and its own tab comes back",
    habits: { B: { skew: -1_440 * MINUTE } },
    happens: `A creates t1 k1, A pulls, bot tab t1 k2, B pulls, server clock -60, B tab t1 k3, B pushes lost-request, B removes t1 k3, bot tab t1 k4, B pulls`,
  },
  {
    number: "one stamp",
    what: "the same with an agent's tab, and the server's clock is put right before the device comes back",
    habits: { B: { skew: -1_440 * MINUTE } },
    happens: `A creates t1 k1, A pulls, bot tab t1 k2, B pulls, server clock -60, B tab t1 k3, B pushes lost-request, B removes t1 k2, bot tab t1 k4, server clock 60, B pulls`,
  },
  {
    number: "rev",
    what: "an old push arrives once more on top of an own version, whose reply was lost, and the next edit loses an agent's title",
    habits: { A: { names: "rev" } },
    happens: `${ONE}, A title t1 k4, A pushes lost, A repeats 2, A tab t1 k26, cat title t1 k27, A pulls`,
  },
  {
    number: "given",
    what: "a device sends again what it was given after a restore, that arrives once more, and another one's tab from before is lost",
    habits: { A: { skew: -60 * MINUTE, names: "rev" }, B: { names: "rev" }, C: { names: "rev" } },
    happens: `${TWO}, server backup, C pulls, cat tab t1 k12, A pulls, B tab t1 k17, B pulls, server restored, C title t1 k27, C pulls, A title t1 k29, A pulls, A pulls, B repeats, A pulls, A repeats`,
  },
  {
    number: "same",
    what: "a device removes an agent's tab and makes the very version that is stored, and an older edit brings the tab back",
    happens: `A creates t1 k1, A pulls, C pulls, B pulls, server clock 1440, bot tab t1 k10, A pulls, C pulls, bot note t1 k22, C pulls, C colour t1 k25, A removes t1 k10, bot tab t1 k30, B pulls, B removes t1 k10, server clock 3, A pulls, B pulls, C pulls`,
  },
  {
    number: "one stamp",
    what: "a push is lost that has the stamp of an agent's tab, loses to that, and the next edit loses the tab",
    habits: { C: { skew: -1_440 * MINUTE } },
    happens: `A creates t1 k1, A pulls, C pulls, ann tab t1 k7, A colour t1 k13, server clock -1440, A pulls, C pulls, C title t1 k32, bot tab t1 k33, C pushes lost-request, C removes t1 k7, C pulls, A pulls`,
  },
  {
    number: "rev",
    what: "a version is made anew under another stamp, and the second edit of a device that names the first one loses a person's title",
    habits: { B: { names: "rev" } },
    happens: `A creates t1 k1, A pulls, C pulls, C deletes t1, C revives t1, B pulls, B title t1 k14, C pulls, ann title t1 k18, B pushes lost, ann title t1 k22, B note t1 k37, B pulls, A pulls`,
  },
  {
    number: "renamed",
    what: "a device adds a tab and removes it before it pushes, and another one with a slow clock removes an agent's note",
    habits: { A: { skew: -60 * MINUTE }, B: { skew: -1_440 * MINUTE } },
    happens: `A creates t1 k1, A pulls, cat note t1 k9, server waits 20, A creates t2 k10, A pulls, server waits 20, B pulls, server waits 20, B tab t1 k21, B removes t1 k21, B pulls, A removes t1 k9, A pulls, B pulls`,
  },
  {
    number: "one stamp",
    what: "an edit of a clamped version has the stamp that was clamped, an agent writes meanwhile, and a tab comes back",
    habits: { A: { names: "rev" } },
    happens: `server clock 1440, A creates t1 k1, A pulls, cat tab t1 k19, A pulls, server clock -1440, A tab t1 k32, A note t1 k35, A pulls, cat note t1 k38, A removes t1 k32, A pulls`,
  },
  {
    number: "one stamp",
    what: "an agent's tab has the stamp that was clamped of another device's version, and comes back to the one who removes it",
    happens: `A creates t1 k1, A pulls, B pulls, B colour t1 k10, server clock 60, cat tab t1 k12, C pulls, server clock 3, C pulls, C tab t1 k15, C note t1 k16, C pulls, bot tab t1 k19, B pushes, B title t1 k25, B removes t1 k19, B pulls`,
  },
  {
    number: "crossing",
    what: "a device moves an agent's tab away, the reply is lost, another one moves it back, and the first one's next edit loses it",
    habits: {
      A: { skew: 1_440 * MINUTE, names: "rev" },
      C: { skew: 1_440 * MINUTE, names: "rev" },
    },
    happens: `A creates t1 k1, A creates t2 k2, A pulls, cat note t1 k9, cat tab t2 k16, C pulls, C moves k16 t2 t1, A pulls, C pulls, C moves k16 t1 t2, A moves k16 t2 t1, C pushes lost, A pulls, C removes t1 k9, C pulls`,
  },
];
