// A folder of an export that is moved meanwhile.
import { existsSync } from "node:fs";
import { rename } from "node:fs/promises";
import { expect, test } from "vitest";
import { startHeld } from "./support/held.ts";

const toGone = (out: string) => ({
  code: 1,
  stderr: `call-media: ${out} was moved or removed while the export worked in it; if it was moved, call-media export --resume continues at its new place\n`,
});

test("a folder that was moved while nothing comes goes on where it is", async () => {
  const { out, running, runCommand } = await startHeld();
  await rename(out, `${out}-moved`);
  expect(await running.ended).toMatchObject(toGone(out));
  expect(existsSync(out)).toBe(false);
  const resume = ["export", "--resume", "--out", `${out}-moved`];
  expect(await runCommand(...resume)).toMatchObject({ code: 0 });
});
