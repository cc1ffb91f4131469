import { isNotNull, sql } from "drizzle-orm";
import { type Activity, isFolded, type CallTrace } from "../../domain/calls/activity.ts";
import { MINUTE } from "../../domain/base/instant.ts";
import { activity } from "../schema/credentials.ts";
import { storedReply } from "../schema/history.ts";
import { type Orm, direct, prepared } from "../query.ts";
import { makeRoom, withinMinute } from "./bounds.ts";

const insertActivity = direct((orm) =>
  orm
    .insert(activity)
    .values({
      accountId: sql.placeholder("accountId"),
      keyId: sql.placeholder("keyId"),
      at: sql.placeholder("at"),
      method: sql.placeholder("method"),
      route: sql.placeholder("route"),
      status: sql.placeholder("status"),
      touched: sql.placeholder("touched"),
      client: sql.placeholder("client"),
      tookToken: sql.placeholder("tookToken"),
      count: 1,
      minute: sql.placeholder("minute"),
      dryRun: sql.placeholder("dryRun"),
      tool: sql.placeholder("tool"),
    })
    .onConflictDoUpdate({
      target: [activity.keyId, activity.minute, activity.method, activity.route, activity.status],
      targetWhere: isNotNull(activity.minute),
      set: { count: sql`${activity.count} + 1`, at: sql`max(${activity.at}, excluded.at)` },
    }),
);

// An existing row has expired (older than 24 hours) but has not been deleted yet.
const upsertStoredReply = prepared((orm) =>
  orm
    .insert(storedReply)
    .values({
      credentialId: sql.placeholder("credentialId"),
      method: sql.placeholder("method"),
      path: sql.placeholder("path"),
      idempotencyKey: sql.placeholder("idempotencyKey"),
      bodyHash: sql.placeholder("bodyHash"),
      at: sql.placeholder("at"),
      status: sql.placeholder("status"),
      body: sql.placeholder("body"),
      etag: sql.placeholder("etag"),
      touched: sql.placeholder("touched"),
    })
    .onConflictDoUpdate({
      target: [
        storedReply.credentialId,
        storedReply.method,
        storedReply.path,
        storedReply.idempotencyKey,
      ],
      set: {
        bodyHash: sql`excluded.body_hash`,
        at: sql`excluded.at`,
        status: sql`excluded.status`,
        body: sql`excluded.body`,
        etag: sql`excluded.etag`,
        touched: sql`excluded.touched`,
      },
    })
    .prepare(),
);

/** Stores a call's trace in the same transaction as its work, so that neither is stored without the other. */
export const insertTrace = async (
  orm: Orm,
  { activity: call, reply }: CallTrace,
): Promise<void> => {
  if (call) await insertCall(orm, call);
  if (!reply) return;
  await makeRoom(orm, reply);
  await upsertStoredReply(orm).run(reply);
};

const insertCall = async (orm: Orm, made: Activity): Promise<void> => {
  const minute = isFolded(made) ? Math.floor(made.at / MINUTE) : null;
  const call = minute === null ? made : await withinMinute(orm, made, minute);
  const marks = { tookToken: Number(call.tookToken), dryRun: Number(call.dryRun) };
  await insertActivity(orm).run({ ...call, ...marks, minute });
};
