// Instants of the demo archive: how they are written down and how they are said.

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
export const DAY_MS = 24 * 60 * MINUTE_MS;

/** The offset that a site's telephone system writes; null is a system that writes local time of the archive's zone (UTC) without one. */
export type Offset = "Z" | "+01:00" | "-05:00" | null;

/** The instant as ISO 8601 text to the second, in the wall time of the offset. */
export function toTimestamp(atMs: number, offset: Offset): string {
  const hours = offset === null || offset === "Z" ? 0 : Number(offset.slice(0, 3));
  const wallTime = new Date(atMs + hours * 60 * MINUTE_MS).toISOString().slice(0, 19);
  return wallTime + (offset ?? "");
}

/** The day as an agent says it, for example "Tuesday the 9th of June". */
export function toSpokenDay(atMs: number): string {
  const date = new Date(atMs);
  const weekday = date.toLocaleDateString("en-GB", { weekday: "long", timeZone: "UTC" });
  const month = date.toLocaleDateString("en-GB", { month: "long", timeZone: "UTC" });
  return `${weekday} the ${toOrdinal(date.getUTCDate())} of ${month}`;
}

function toOrdinal(day: number): string {
  if (day === 1 || day === 21 || day === 31) return `${day}st`;
  if (day === 2 || day === 22) return `${day}nd`;
  if (day === 3 || day === 23) return `${day}rd`;
  return `${day}th`;
}
