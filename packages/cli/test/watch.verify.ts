// A watch that goes on in the middle of a long look.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { serveGrowing } from "./support/growing.ts";
import { HOUR_MS, callOf, soon, startWatch, toIds } from "./support/watching.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "call-media-watch-"));
});
afterAll(() => rm(folder, { recursive: true }));

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
