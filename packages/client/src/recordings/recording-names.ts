// The names of recordings in records (D17).

const SEPARATOR = "; ";

/**
 * Reads the field `recordings` of a record, which has the names of its recordings (D17). Some services have a number or a
 * mark there, whatever the contract says: it is one recording. To fetch one of them, see `client.recordings.find`: its number
 * depends on the other records of the call.
 *
 * @example
 * ```ts
 * toRecordingNames("a.wav; b.wav"); // ["a.wav", "b.wav"]
 * ```
 */
export function toRecordingNames(recordings: unknown): string[] {
  const text = typeof recordings === "number" ? String(recordings) : recordings;
  if (typeof text !== "string") return [];
  return text.split(SEPARATOR).filter((name) => name.trim() !== "");
}

/**
 * A name may contain the separator. A list of names does not show this, but the service's own name of the recording does.
 *
 * @returns the names with split ones rejoined: a name of `given` at its first part, undefined for its other parts, the
 * rest unchanged.
 */
export function rejoinNames(
  names: readonly string[],
  given: readonly (string | undefined)[],
): (string | undefined)[] {
  const joined: (string | undefined)[] = [...names];
  // All of them, in order: no other reading is possible then, even if a name looks like the rest of another one.
  const isAll = given.flatMap(toRecordingNames).join() === names.join();
  let next = 0;
  for (const name of given) {
    const parts = toRecordingNames(name);
    const at = isAll
      ? next
      : names.findIndex((_, index) => parts.every((one, i) => joined[index + i] === one));
    next += parts.length;
    if (parts.length > 1 && at >= 0)
      for (const i of parts.keys()) joined[at + i] = i ? undefined : name;
  }
  return joined;
}
