// The names of recordings, as a record lists them.

/** How the service separates the names of several recordings (D17). */
const SEPARATOR = "; ";

/** `recordings` of a record. Some services have a number or a mark there, whatever the contract says: it is one recording. */
export function toRecordingNames(recordings: unknown): readonly string[] {
  const text = typeof recordings === "number" ? String(recordings) : recordings;
  if (typeof text !== "string") return [];
  return text.split(SEPARATOR).filter((name) => name.trim() !== "");
}

/**
 * A name may have the separator in it, which a list of names cannot tell, but the service's own name of the recording can.
 *
 * @returns the names with split ones rejoined: a name of `given` at its first part, undefined for its other parts, the
 * rest unchanged.
 */
export function rejoinNames(
  names: readonly string[],
  given: readonly (string | undefined)[],
): readonly (string | undefined)[] {
  const joined: (string | undefined)[] = [...names];
  for (const name of given) {
    const pieces = toRecordingNames(name);
    const at = names.findIndex((_, index) => pieces.every((one, i) => joined[index + i] === one));
    if (pieces.length > 1 && at >= 0) {
      joined.fill(undefined, at, at + pieces.length);
      joined[at] = name;
    }
  }
  return joined;
}
