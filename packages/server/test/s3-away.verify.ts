// A bucket that goes away in the middle of a download and stays away: the download is cut, and the log says what was sent.
import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { serve } from "./support/bucket-archive.ts";
import { run } from "./support/command.ts";
import { openDownload } from "./support/download.ts";

const BYTES = 60 * 1024 ** 2;

test("a download is not taken for whole, and another one is as soon as the bucket is back", async () => {
  const content = randomBytes(BYTES);
  const { server, program, places, key, get } = await serve(content);
  const path = "/recording/stream-by-call-id/A";
  const download = await openDownload(program, path, key);
  await server.stop();
  expect(await download.readRest()).toEqual({ isWhole: false });
  const refused = await get(path);
  expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "5"]);

  await server.start();
  const whole = Buffer.from(await (await get(path)).arrayBuffer());
  expect(whole.equals(content)).toBe(true);
  expect(await program.stop()).toBe(0);
  const { stdout } = await run("audit", "--format", "jsonl", ...places);
  const cut = stdout.split("\n").filter((line) => line.includes('"isCut":true'));
  expect(cut).toHaveLength(1);
  const { recording } = JSON.parse(cut[0] ?? "") as {
    readonly recording: { readonly last: number };
  };
  expect(recording.last).toBeGreaterThan(0);
  expect(recording.last).toBeLessThan(BYTES - 1);
});
