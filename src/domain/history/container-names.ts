/** The fields that name a task's folder and bucket. Their values are ids, which mean nothing to people. */
const CONTAINER_FIELDS: readonly string[] = ["project_id", "bucket_id"];

/** A field's change from one value to another. */
export type Move = {
  readonly field: string;
  readonly from: string | null;
  readonly to: string | null;
};

/** The names of folders and buckets, by `placeKey`. */
export type ContainerNames = ReadonlyMap<string, string>;

export const containerKey = (field: string, id: string): string => `${field} ${id}`;

/** Returns the folders and buckets that the changes refer to. */
export const containersIn = (moves: readonly Move[]) =>
  moves
    .filter(({ field }) => CONTAINER_FIELDS.includes(field))
    .flatMap(({ field, from, to }) =>
      [from, to].flatMap((id) => (id === null ? [] : [{ field, id }])),
    );

/** Returns the change with folder and bucket ids replaced by names. */
export const withNames = <M extends Move>(move: M, names: ContainerNames): M => {
  const nameOf = (id: string | null): string | null =>
    id === null ? null : (names.get(containerKey(move.field, id)) ?? unknown(move.field, id));
  return CONTAINER_FIELDS.includes(move.field)
    ? { ...move, from: nameOf(move.from), to: nameOf(move.to) }
    : move;
};

/** The trash bucket is recognised by its id alone, even without a record. */
const unknown = (field: string, id: string): string =>
  field === "bucket_id" ? id : `${id} (no longer exists)`;
