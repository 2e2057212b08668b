// A folder that is moved or removed during an export: the message says so, and no new folder replaces it.
import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { expect, test } from "vitest";
import { startExporting } from "./support/exporting.ts";
import { ARGS, CALLS } from "./support/held.ts";

const toGone = (out: string) => ({
  code: 1,
  stderr: `call-media: ${out} was moved or removed while the export worked in it; if it was moved, call-media export --resume continues at its new place\n`,
});

test("an export stops if its folder was removed before a file is written", async () => {
  let folder = "";
  const { out, exportCalls } = await startExporting({ calls: CALLS }, async (url, answer) => {
    if (url.includes("/recording/")) await rm(folder, { recursive: true, force: true });
    return answer;
  });
  folder = out;
  expect(await exportCalls(...ARGS)).toMatchObject(toGone(out));
  expect(existsSync(out)).toBe(false);
});
