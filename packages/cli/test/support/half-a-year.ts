// Calls of half a year, each with a recording.
import type { FakeCall } from "@call-media/testing";
import { toBytes } from "./exporting.ts";

const MONTHS = ["01", "02", "03", "04", "05", "06"];
export const HALF_A_YEAR = ["--from", "2026-01-01", "--to", "2026-06-30"];

/** Five of each month. */
export const CALLS: readonly FakeCall[] = MONTHS.flatMap((month) =>
  Array.from({ length: 5 }, (_, index) => ({
    call_id: `${month}-${index}`,
    datetime: `2026-${month}-1${index}T06:14:00Z`,
    recordings: [{ filename: "a.wav", bytes: toBytes(2000, index + 1) }],
  })),
);
