// The hand-over of an export that is large: it has no page, and says so.
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { unzipSync } from "fflate";
import { expect, test } from "vitest";
import { MARCH, startExporting } from "./support/exporting.ts";

test("with more than 5,000 calls it has no page, and says so", async () => {
  const calls = Array.from({ length: 5001 }, (_, index) => ({
    call_id: String(index),
    datetime: "2026-03-02T09:00:00+00:00",
  }));
  const { out, runCommand } = await startExporting({ calls });
  const file = join(dirname(out), "march.zip");
  const { stdout } = await runCommand("export", ...MARCH, "--files", "none", "--hand-over", file);
  expect(stdout).toContain("without index.html");
  expect(Object.keys(unzipSync(await readFile(file)))).not.toContain("index.html");
});
