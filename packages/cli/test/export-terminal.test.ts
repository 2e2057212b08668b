// An export at a terminal: a bar in 80 columns, and Ctrl-C that says how to go on.
import { expect, test } from "vitest";
import { createProgressText } from "../src/export/progress.ts";
import { MARCH, startExporting, toBytes } from "./support/exporting.ts";
import { runAtTerminal } from "./support/terminal.ts";

const CALLS = Array.from({ length: 60 }, (_, index) => ({
  call_id: String(1000 + index),
  datetime: "2026-03-02T06:14:00Z",
  recordings: [{ filename: "a.wav", bytes: toBytes(40_000, index + 1) }],
}));

test("the bar has records, files, bytes, rate, time left and failures, in 80 columns", () => {
  const toText = createProgressText({ rows: 20_000, days: 60 });
  const count = { rows: 4000, files: 400, bytes: 20_000_000, failures: 0, days: 12 };
  expect(toText(count, 1000)).toBe("[==          ] 20% 4,000 rows, 400 files, 20.0 MB");
  const later = { rows: 8000, files: 860, bytes: 41_200_000, failures: 2, days: 24 };
  const text = toText(later, 11_000);
  expect(text).toBe(
    "[====        ] 40% 8,000 rows, 860 files, 41.2 MB, 2.1 MB/s, 0:30 left, 2 failed",
  );
  expect(createProgressText({ rows: undefined, days: 48 })(later, 0)).toContain("50%");
});

test("a repeated search has no bar, which would stay at 0%", () => {
  const toText = createProgressText({ rows: undefined, days: 0 });
  const count = { rows: 136, files: 35, bytes: 1_800_000, failures: 0, days: 0 };
  expect(toText(count, 1000)).toBe("136 rows, 35 files, 1.8 MB");
});

test("progress is drawn, and Ctrl-C says how it goes on", async () => {
  const { out, variables, exportCalls } = await startExporting({ calls: CALLS });
  const args = ["export", ...MARCH, "--files", "recordings", "--limit-rate", "300k", "--out", out];
  const { code, shown } = await runAtTerminal(args, variables, [[" left", "\u0003"]]);
  expect(shown).toMatch(
    /\[=* +\] \d+% \d+ rows?, \d+ files?, [\d.]+ [kM]?B, [\d.]+ [kM]?B\/s, \d+:\d\d left/,
  );
  expect(shown.replaceAll(/\s+/g, " ")).toContain(
    "call-media: stopped by Ctrl-C: what was fetched is kept; continue with call-media export --resume --out",
  );
  expect(code).toBe(130);
  expect(await exportCalls("--resume")).toMatchObject({ code: 0 });
});

test("the lines of verify are wrapped next to their labels", async () => {
  const { out, variables, exportCalls } = await startExporting({ calls: CALLS.slice(0, 1) });
  await exportCalls(...MARCH);
  const { shown } = await runAtTerminal(["verify", out], variables, []);
  expect(shown).toMatch(/\r\nseal {5}[\da-f]{64} is the\r\n {9}SHA-256 of report\.json\r\n/);
  expect(
    shown.split("\r\n").filter((line) => line.length > 80 && !line.includes("\u001b")),
  ).toEqual([]);
});
