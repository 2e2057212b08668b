// A folder that somebody moves or removes while an export works in it: that is what is told, and nothing takes its place.
import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { expect, test } from "vitest";
import { startExporting } from "./support/exporting.ts";
import { ARGS, CALLS } from "./support/held.ts";

const toGone = (out: string) => ({
  code: 1,
  stderr: `call-media: ${out} was moved or removed while the export worked in it; if it was moved, call-media export --resume continues at its new place\n`,
});

test("a folder that was removed when files are to come into it", async () => {
  let folder = "";
  const { out, exportCalls } = await startExporting({ calls: CALLS }, async (url, answer) => {
    if (url.includes("/recording/")) await rm(folder, { recursive: true, force: true });
    return answer;
  });
  folder = out;
  expect(await exportCalls(...ARGS)).toMatchObject(toGone(out));
  expect(existsSync(out)).toBe(false);
});
