// Moves the dates of the demo archive by whole weeks, so that its newest calls are only days old and none is in the future.

const DAY_MS = 86_400_000;
const WEEK_MS = 7 * DAY_MS;

/** The day that the archive was made for. On that day dates do not move, and a week of calls is in the future. */
const MADE_FOR_MS = Date.parse("2026-11-01");

const DATE_FIELDS: ReadonlySet<string> = new Set([
  "datetime",
  "start",
  "created_date",
  "modified_date",
  "DateCreated",
  "DateModified",
]);

/**
 * Moves the dates in lines of the archive to `asOf`, a day as YYYY-MM-DD. Weekdays, hours and offsets stay. The
 * returned function returns undefined for a line of `asOf` or later.
 */
export function createDateMove(asOf: string): (line: string) => string | undefined {
  const movedMs = Math.floor((Date.parse(asOf) - MADE_FOR_MS) / WEEK_MS) * WEEK_MS;
  const move = (day: string) => new Date(Date.parse(day) + movedMs).toISOString().slice(0, 10);
  return (line) => {
    const moved: { readonly datetime?: string } = JSON.parse(line, (field, value) => {
      if (typeof value === "string" && DATE_FIELDS.has(field))
        return move(value.slice(0, 10)) + value.slice(10);
      return isRecording(value)
        ? { ...value, name: moveName(value.name ?? value.file, move) }
        : value;
    });
    return (moved.datetime ?? "") >= asOf ? undefined : JSON.stringify(moved);
  };
}

const isRecording = (value: unknown): value is { readonly file: string; readonly name?: string } =>
  typeof value === "object" && value !== null && "file" in value && typeof value.file === "string";

/** A file's name begins with the day of its call: 20250121-0912-bill-too-high.wav. */
function moveName(file: string, move: (day: string) => string): string {
  const [, year, month, day, rest] = /^(\d{4})(\d\d)(\d\d)(-.*)$/.exec(file) ?? [];
  return rest === undefined ? file : move(`${year}-${month}-${day}`).replaceAll("-", "") + rest;
}
