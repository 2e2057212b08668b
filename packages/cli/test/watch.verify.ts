// A watch that goes on in the middle of a long look.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { type Growing, serveGrowing } from "./support/growing.ts";
import { start } from "./support/program.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "call-media-watch-"));
});
afterAll(() => rm(folder, { recursive: true }));

const HOUR_MS = 3_600_000;

/** A call of so many hours ago. */
const callOf = (call_id: string, hoursAgo: number, agent = "ana.kovac") => ({
  call_id,
  datetime: new Date(Date.now() - hoursAgo * HOUR_MS).toISOString(),
  agent,
});

const soon = (check: () => void) => vi.waitFor(check, { timeout: 60_000 });

/** A watch of the program, and what it has said so far. */
function startWatch({ variables }: Growing, ...args: readonly string[]) {
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

const toIds = (lines: string) =>
  lines
    .split("\n")
    .slice(0, -1)
    .map((line) => (JSON.parse(line) as { call_id: string }).call_id);

describe("with a cursor", () => {
  test.concurrent("goes on in the middle of a long look", async () => {
    const many = Array.from({ length: 4000 }, (_, index) => callOf(`${index}`, index / 100));
    await using growing = await serveGrowing(many);
    growing.service.inject({ kind: "slow", delayMs: 10, times: Infinity });
    const since = new Date(Date.now() - 48 * HOUR_MS).toISOString().slice(0, 10);
    const args = ["--since", since, "--cursor", join(folder, "long")];
    const watch = startWatch(growing, ...args);
    await soon(() => expect(watch.count()).toBeGreaterThan(1000));
    const first = toIds((await watch.stop()).stdout);
    expect(first.length).toBeLessThan(many.length);
    const again = startWatch(growing, ...args);
    await again.isReady();
    const second = toIds((await again.stop()).stdout);
    const ids = new Set(many.map(({ call_id }) => call_id));
    expect(new Set([...first, ...second])).toEqual(ids);
    expect(first.length + second.length).toBe(ids.size);
  });
});
