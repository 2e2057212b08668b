// An export of a service that asks to wait.
import { expect, test } from "vitest";
import { type FakeCall, MARCH, startExporting, toBytes } from "./support/exporting.ts";

const CALLS: readonly FakeCall[] = Array.from({ length: 120 }, (_, index) => ({
  call_id: String(1000 + index),
  ref_id: `ref-${index}`,
  datetime: `2026-03-${String((index % 28) + 1).padStart(2, "0")}T06:14:00+01:00`,
  agent: index % 3 === 0 ? "ana.kovac" : "mia.berg",
  talk_time: index * 10,
  transcript: index % 20 === 0 ? "Hello" : null,
  recordings:
    index % 10 === 0
      ? [
          { filename: `a${index}.WAV`, bytes: toBytes(500 + index, index + 1) },
          { filename: "second.mp3", bytes: toBytes(700, index + 2) },
        ].slice(0, 1 + (index % 20) / 10)
      : [],
}));

test("an answer of 429 and 503 is waited for", async () => {
  const { service, exportCalls } = await startExporting({ calls: CALLS });
  service.inject({ kind: "status", status: 429, retryAfterS: 1, skip: 4, times: 2 });
  service.inject({ kind: "status", status: 503, skip: 9, times: 3 });
  expect(await exportCalls(...MARCH)).toMatchObject({ code: 0 });
});
