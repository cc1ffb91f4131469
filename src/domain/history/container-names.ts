/** The fields by which a task lies in a folder or a bucket: their values are ids, which tell people nothing. */
const CONTAINER_FIELDS: readonly string[] = ["project_id", "bucket_id"];

/** A field's change, as far as places go. */
export type Move = {
  readonly field: string;
  readonly from: string | null;
  readonly to: string | null;
};

/** The names of folders and buckets, by `placeKey`. */
export type ContainerNames = ReadonlyMap<string, string>;

export const containerKey = (field: string, id: string): string => `${field} ${id}`;

/** The folders and buckets that changes lead from and to. */
export const containersIn = (moves: readonly Move[]) =>
  moves
    .filter(({ field }) => CONTAINER_FIELDS.includes(field))
    .flatMap(({ field, from, to }) =>
      [from, to].flatMap((id) => (id === null ? [] : [{ field, id }])),
    );

/** A change with the names of folders and buckets in the place of their ids. */
export const withNames = <M extends Move>(move: M, names: ContainerNames): M => {
  const nameOf = (id: string | null): string | null =>
    id === null ? null : (names.get(containerKey(move.field, id)) ?? unknown(move.field, id));
  return CONTAINER_FIELDS.includes(move.field)
    ? { ...move, from: nameOf(move.from), to: nameOf(move.to) }
    : move;
};

/** A bucket may be known by its id alone: the trash is. */
const unknown = (field: string, id: string): string =>
  field === "bucket_id" ? id : `${id} (no longer exists)`;
