// An export that was killed is continued where it was.
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readManifest } from "./support/exporting.ts";
import { LARGE, startHeld } from "./support/held.ts";

test("a recording that was cut off by kill -9 goes on where it was, and nothing is fetched twice", async () => {
  const { service, ranges, out, exportCalls, running } = await startHeld();
  running.child.kill("SIGKILL");
  await running.ended;
  const seen = service.requests.length;
  expect(await exportCalls("--resume")).toMatchObject({ code: 0 });
  const asked = service.requests.slice(seen).filter(({ url }) => url.includes("/recording/"));
  expect(asked.map(({ url }) => new URL(url).pathname)).toEqual([
    "/recording/stream-by-call-id/large",
  ]);
  expect(Number(/^bytes=(\d+)-$/.exec(ranges.at(-1) ?? "")?.[1])).toBeGreaterThanOrEqual(600_000);
  expect(new Uint8Array(await readFile(join(out, "recordings/2026-03-02/large.wav")))).toEqual(
    LARGE,
  );
  expect(await readdir(join(out, ".call-media/parts"))).toEqual([]);
  const [, large] = (await readManifest(out)).toReversed();
  expect(large).toMatchObject({ call_id: "large", verified: "digest", attempts: 1 });
});
