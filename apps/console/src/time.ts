// Shows datetimes of records in the archive's time zone, or in the reader's (D03).
import { daysAgo, toDatetime, toOffset, toOffsetMs } from "@call-media/client";
import { computed, signal } from "@preact/signals";
import { locale, text as words } from "./text/text.ts";
import { kept } from "./kept.ts";

export const ZONES = ["archive", "mine"] as const;
export type Zone = (typeof ZONES)[number];

/** The zone in which times are shown. */
export const zone = kept<Zone>("zone", "archive", (value) => ZONES.find((one) => one === value));

/** The archive's zone, as its responses name it (D34); undefined until one does. */
export const archiveZone = signal<string | undefined>(undefined);

/** Today in the archive's zone; in UTC until the first response names that zone, which may change the day. */
export const today = computed(() => daysAgo(0, archiveZone.value ?? "UTC"));

export interface Shown {
  /** For example "Tue 21 Jan 2025". */
  readonly day: string;
  /** Without its weekday: "21 Jan 2025". */
  readonly date: string;
  /** Hours and minutes. */
  readonly time: string;
  /** With seconds. */
  readonly exact: string;
  /** The zone to show after the time: "−05:00", "UTC"; empty if the text has none. */
  readonly mark: string;
}

const WRITTEN =
  /^(\d{4})-(\d\d)-(\d\d)[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,]\d+)?)? ?(Z|[+-]\d\d:?\d\d)?$/i;

/** Undefined if the text is not a datetime; it is then shown unchanged. */
export function toShown(text: string, mode: Zone): Shown | undefined {
  const parts = WRITTEN.exec(text);
  if (parts === null) return undefined;
  const named = nameZone(mode);
  const instant = toInstantOf(text);
  if (named === undefined || instant === undefined)
    return format(toWallMs(parts), "UTC", toMark(parts[7] ?? ""));
  return format(instant, named, toMark(toOffset(toOffsetMs(instant, named))));
}

/** Text without an offset is in the archive's zone; undefined until that zone is known. */
export const toInstantOf = (text: string | null): number | undefined =>
  toDatetime(text, { timeZone: archiveZone.value })?.instant?.getTime();

function toWallMs(parts: RegExpExecArray): number {
  const [, year, month, day, hours, minutes, seconds = "0"] = parts;
  return Date.UTC(
    Number(year),
    Number(month) - 1,
    Number(day),
    Number(hours),
    Number(minutes),
    Number(seconds),
  );
}

/** The zone of times shown without one; undefined until known. */
export const nameZone = (mode: Zone): string | undefined =>
  mode === "archive" ? archiveZone.value : Intl.DateTimeFormat().resolvedOptions().timeZone;

/** The recorded time, with a note if it was recorded without a zone. */
export const nameRecorded = (text: string): string =>
  WRITTEN.exec(text)?.[7] === undefined ? `${text} (${words.value.noZone})` : text;

const toMark = (offset: string): string =>
  /^(z|[+-]00:?00)$/i.test(offset)
    ? "UTC"
    : offset.replace("-", "−").replace(/(\d\d):?(\d\d)$/, "$1:$2");

function format(ms: number, timeZone: string, mark: string): Shown {
  const { day, clock } = formattersOf(locale.value, timeZone);
  const exact = clock.format(ms);
  const named = day.format(ms).replaceAll(",", "");
  // Every language of the page puts the weekday first.
  const date = named.replace(/^\S+ /, "");
  return { day: named, date, time: exact.slice(0, -3), exact, mark };
}

const formatters = new Map<string, { day: Intl.DateTimeFormat; clock: Intl.DateTimeFormat }>();

function formattersOf(language: string, timeZone: string) {
  const key = `${language} ${timeZone}`;
  const found = formatters.get(key) ?? {
    day: new Intl.DateTimeFormat(language, {
      timeZone,
      weekday: "short",
      day: "numeric",
      month: "short",
      year: "numeric",
    }),
    clock: new Intl.DateTimeFormat("en-GB", { timeZone, timeStyle: "medium" }),
  };
  formatters.set(key, found);
  return found;
}

/** A day of the calendar, for example "21 Jan 2025". */
export function showDay(day: string): string {
  const options = { timeZone: "UTC", day: "numeric", month: "short", year: "numeric" } as const;
  return new Intl.DateTimeFormat(locale.value, options).format(Date.parse(day));
}

/** Seconds as "0:07", "12:20" or "1:02:03". */
export function showSeconds(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  const two = (value: number) => String(value).padStart(2, "0");
  const hours = Math.floor(whole / 3600);
  const minutes = Math.floor(whole / 60) % 60;
  return `${hours > 0 ? `${hours}:${two(minutes)}` : minutes}:${two(whole % 60)}`;
}
