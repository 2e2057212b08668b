// A watch of the program, and the calls that it may see.
import { expect, vi } from "vitest";
import type { Growing } from "./growing.ts";
import { start } from "./program.ts";

export const HOUR_MS = 3_600_000;

/** A call of so many hours ago. */
export const callOf = (call_id: string, hoursAgo: number, agent = "ana.kovac") => ({
  call_id,
  datetime: new Date(Date.now() - hoursAgo * HOUR_MS).toISOString(),
  agent,
});

export const soon = (check: () => void) => vi.waitFor(check, { timeout: 60_000 });

/** A watch of the program, and what it has said so far. */
export function startWatch({ variables }: Growing, ...args: readonly string[]) {
  const { child, ended } = start(["watch", "--interval", "1", ...args], variables);
  let [printed, said] = ["", ""];
  child.stdout.on("data", (chunk: Buffer) => (printed += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (said += chunk.toString()));
  return {
    count: () => toIds(printed).length,
    isReady: () => soon(() => expect(said).toContain("looking every 1 s")),
    hasSaid: (text: string) => soon(() => expect(said).toContain(text)),
    hasPrinted: (...ids: readonly string[]) => soon(() => expect(toIds(printed)).toEqual(ids)),
    stop: async (signal: "SIGINT" | "SIGTERM" = "SIGINT") => {
      child.kill(signal);
      return await ended;
    },
    ended,
  };
}

export const toIds = (lines: string) =>
  lines
    .split("\n")
    .slice(0, -1)
    .map((line) => (JSON.parse(line) as { call_id: string }).call_id);
