/**
 * Returns what a tag is compared by: its letters composed, and in one case. Lower case alone would keep `ς` and `σ` apart, and
 * `ß` and `SS`; upper case alone `ẞ` and `ß`. Compatibility forms (NFKC) stay apart, because `x²` and `x2` are two names. The
 * key of a key is that key, and no language's own rules matter, so it is the same on every machine.
 */
export const tagKey = (tag: string): string =>
  tag.normalize("NFC").toLowerCase().toUpperCase().toLowerCase().normalize("NFC");

export const isSameTag = (a: string, b: string): boolean => tagKey(a) === tagKey(b);

/** Returns each tag once, in its first spelling. */
export const eachOnce = (tags: readonly string[]): readonly string[] =>
  [...Map.groupBy(tags, tagKey).values()].map(([first = ""]) => first);

/** Returns tags in the spelling in which they are there already, and the others as they are. */
export const spelledAs = (
  tags: readonly string[],
  there: readonly unknown[],
): readonly string[] => {
  const texts = there.filter((tag) => typeof tag === "string");
  return tags.map((tag) => texts.find((one) => isSameTag(one, tag)) ?? tag);
};

/** A tag `device:NAME` sends the tabs of a task to that device. */
export const DEVICE_TAG = "device:";

/** Returns the name of the device that a tag is for; null if it is for none. */
export const deviceIn = (tag: string): string | null => {
  const [mark, name] = [tag.slice(0, DEVICE_TAG.length), tag.slice(DEVICE_TAG.length)];
  return name !== "" && isSameTag(mark, DEVICE_TAG) ? name : null;
};
