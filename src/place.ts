/** The fields by which a task lies in a folder or a bucket: their values are ids, which tell people nothing. */
const PLACES: readonly string[] = ["project_id", "bucket_id"];

/** A field's change, as far as places go. */
export type Move = {
  readonly field: string;
  readonly from: string | null;
  readonly to: string | null;
};

/** The names of folders and buckets, by `placeKey`. */
export type PlaceNames = ReadonlyMap<string, string>;

export const placeKey = (field: string, id: string): string => `${field} ${id}`;

/** The folders and buckets that changes lead from and to. */
export const placesIn = (moves: readonly Move[]) =>
  moves
    .filter(({ field }) => PLACES.includes(field))
    .flatMap(({ field, from, to }) =>
      [from, to].flatMap((id) => (id === null ? [] : [{ field, id }])),
    );

/** A change with the names of folders and buckets in the place of their ids. */
export const withNames = <M extends Move>(move: M, names: PlaceNames): M => {
  const nameOf = (id: string | null): string | null =>
    id === null ? null : (names.get(placeKey(move.field, id)) ?? unknown(move.field, id));
  return PLACES.includes(move.field)
    ? { ...move, from: nameOf(move.from), to: nameOf(move.to) }
    : move;
};

/** A bucket may be known by its id alone: the trash is. */
const unknown = (field: string, id: string): string =>
  field === "bucket_id" ? id : `${id} (no longer exists)`;
