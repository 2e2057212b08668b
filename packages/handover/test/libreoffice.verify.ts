// LibreOffice Calc opens a spreadsheet of calls, and every cell is what the call has.
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { call, toLineFeeds, toSheet, TRAPS } from "./support/calls.ts";

const hasOffice = spawnSync("soffice", ["--version"]).status === 0;

test.skipIf(!hasOffice)("LibreOffice shows every cell unchanged (needs soffice)", async () => {
  const folder = await mkdtemp(join(tmpdir(), "call-media-sheet-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, "calls.xlsx");
  await writeFile(file, toSheet([call], { timeZone: "Europe/Berlin" }));
  // Fields by comma, in UTF-8, texts in quotes and nothing else, values as they are and not as they look.
  const filter = "csv:Text - txt - csv (StarCalc):44,34,76,1,,0,true,false";
  const home = `-env:UserInstallation=file://${join(folder, "home")}`;
  execFileSync("soffice", [home, "--headless", "--convert-to", filter, "--outdir", folder, file], {
    stdio: "ignore",
  });
  const csv = await readFile(join(folder, "calls.csv"), "utf8");
  const [, ...rest] = csv.split("\n");
  const cells = rest.join("\n");
  for (const value of Object.values(TRAPS))
    expect(cells).toContain(`"${toLineFeeds(String(value).replaceAll('"', '""'))}"`);
  expect(cells).toContain('"2026-03-05T10:00:01+00:00",');
  expect(cells).toMatch(/,61,/);
});
