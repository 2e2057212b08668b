// The names of recordings, as a record lists them.

/** How the service separates the names of several recordings (D17). */
const SEPARATOR = "; ";

/** `recordings` of a record. Some services have a number or a mark there, whatever the contract says: it is one recording. */
export function toRecordingNames(recordings: unknown): readonly string[] {
  const text = typeof recordings === "number" ? String(recordings) : recordings;
  if (typeof text !== "string") return [];
  return text.split(SEPARATOR).filter((name) => name.trim() !== "");
}
