// An export that stands still amid a recording, for tests that kill, stop or disturb it there.
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { expect, vi } from "vitest";
import { type FakeCall, MARCH, startExporting, toBytes } from "./exporting.ts";

export const LARGE = toBytes(3_000_000, 7);
export const CALLS: readonly FakeCall[] = [
  {
    call_id: "large",
    datetime: "2026-03-02T06:00:00Z",
    recordings: [{ filename: "l.wav", bytes: LARGE }],
  },
  ...Array.from({ length: 6 }, (_, index) => ({
    call_id: String(1000 + index),
    datetime: `2026-03-0${index + 3}T06:14:00Z`,
    recordings: [{ filename: "a.wav", bytes: toBytes(900 + index) }],
  })),
];
export const ARGS = [...MARCH, "--files", "recordings"];

/** So few calls that all days are one window; the large recording is of the oldest record, the last. */
export const WINDOW = "2026-03-01_2026-03-31.00000";
export const PART = `${WINDOW}.6.recording.1`;

/** So much of the large recording comes, and then nothing more. */
const HELD_AFTER = 2_000_000;

function hold({ body, status, headers }: Response): Response {
  let left = HELD_AFTER;
  const held = new TransformStream<Uint8Array, Uint8Array>({
    transform: async (piece, controller) => {
      controller.enqueue(piece.subarray(0, left));
      left -= piece.length;
      if (left <= 0) await new Promise(() => {});
    },
  });
  return new Response(body?.pipeThrough(held) ?? null, { status, headers });
}

/** An export that is met amid the large recording, when all others are there. What comes after it is not held. */
export async function startHeld() {
  let isHeld = true;
  const exporting = await startExporting({ calls: CALLS }, (url, answer) =>
    isHeld && url.endsWith("/large") ? hold(answer) : answer,
  );
  const { out, startCommand } = exporting;
  const running = startCommand("export", ...ARGS, "--out", out);
  const state = join(out, ".call-media");
  await vi.waitFor(
    async () => {
      expect((await stat(join(state, "parts", PART))).size).toBeGreaterThanOrEqual(600_000);
      const journal = await readFile(join(state, `days/${WINDOW}.jsonl`), "utf8");
      expect(journal.match(/"outcome":/g)).toHaveLength(CALLS.length - 1);
    },
    { timeout: 60_000 },
  );
  isHeld = false;
  return { ...exporting, running };
}
