// When a recording of a Five9 call began: as the log says, and as the name of its file does. Both are local times of the
// region, given here in ms as if they were UTC.
import { toSeconds } from "../mapping/conversion.ts";
import type { Row } from "../columns.ts";
import type { NameParts } from "./filename-template.ts";

export const HOUR_MS = 3_600_000;

export interface Span {
  readonly fromMs: number;
  readonly toMs: number;
}

const RECORDING = /(\d\d?):(\d\d):(\d\d)\(/g; // 09:00:25(0:43): start and length

/**
 * When a recording of the row may begin: as RECORDINGS has it, else while the call lasted. `local` is the row's time stamp in
 * ISO 8601, without an offset.
 */
export function toSpans(row: Row, local: string): readonly Span[] {
  const startMs = Date.parse(`${local}Z`);
  const dayMs = Date.parse(`${local.slice(0, 10)}Z`);
  const starts = [...(row("RECORDINGS") ?? "").matchAll(RECORDING)].map(([, h, m, s]) => {
    const timeMs = dayMs + ((Number(h) * 60 + Number(m)) * 60 + Number(s)) * 1_000;
    return timeMs < startMs - HOUR_MS ? timeMs + 24 * HOUR_MS : timeMs; // after midnight
  });
  if (starts.length > 0) return starts.map((ms) => ({ fromMs: ms, toMs: ms }));
  const seconds = toSeconds(row("CALL TIME") ?? "");
  const lengthMs = "value" in seconds ? Number(seconds.value) * 1_000 : 0;
  return [{ fromMs: startMs, toMs: startMs + lengthMs }];
}

const YEAR_FIRST = /^(?:19|20)\d{6}$/;

/**
 * The moment of a name; NaN without one. A date has the year first or, as in the United States, last; a time has AM or
 * PM, or neither.
 */
export function toLocalMs({ date = "", time = "" }: NameParts): number {
  const digits = date.replace(/\D/g, "");
  const day = YEAR_FIRST.test(digits) ? digits : `${digits.slice(4)}${digits.slice(0, 4)}`;
  const [, hour = "", minute = "", second = "00", half] =
    /^(\d\d?)\D?(\d\d)\D?(\d\d)?\D*?([AP]M)?$/i.exec(time) ?? [];
  const isHalf = half !== undefined;
  const hours = (isHalf ? Number(hour) % 12 : Number(hour)) + (/p/i.test(half ?? "") ? 12 : 0);
  const iso = `${day.slice(0, 4)}-${day.slice(4, 6)}-${day.slice(6)}`;
  return Date.parse(`${iso}T${String(hours).padStart(2, "0")}:${minute}:${second}Z`);
}
