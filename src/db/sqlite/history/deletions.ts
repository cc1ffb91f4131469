import { eq } from "drizzle-orm";
import type { Instant } from "../../../domain/base/instant.ts";
import { massDeletion } from "../../schema/history.ts";
import type { Orm } from "../orm.ts";

/** Notes that a push deleted an unusually large number of records. */
export const insertDeletion = (orm: Orm, deletion: typeof massDeletion.$inferInsert): void => {
  orm.insert(massDeletion).values(deletion).run();
};

/** Notes that the records deleted by such a push were restored. */
export const updateRestored = (orm: Orm, id: number, now: Instant): void => {
  orm.update(massDeletion).set({ restoredAt: now }).where(eq(massDeletion.id, id)).run();
};
