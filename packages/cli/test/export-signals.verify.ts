// Signals that end an export: it says so, and how it goes on. A terminal that goes away takes no file with it.
import { expect, test } from "vitest";
import { readMetadata, startExporting } from "./support/exporting.ts";
import { ARGS, CALLS, startHeld } from "./support/held.ts";

test("nobody who reads how far it is any more does not end it", async () => {
  const { out, startCommand } = await startExporting({ calls: CALLS });
  const slow = ["--limit-rate", "200k", "--out", out];
  const { child, ended } = startCommand("export", ...ARGS, ...slow);
  child.stderr.destroy(); // lines of progress come every ten seconds
  expect(await ended).toMatchObject({ code: 0 });
  expect(await readMetadata(out)).toHaveLength(CALLS.length);
});

test.each([
  ["SIGTERM", 143],
  ["SIGHUP", 129],
] as const)("%s", async (signal, exitCode) => {
  const { out, exportCalls, running } = await startHeld();
  running.child.kill(signal);
  const { code, stderr } = await running.ended;
  expect(code).toBe(exitCode);
  expect(stderr).toContain(
    `call-media: stopped by ${signal}: what was fetched is kept; continue with call-media export --resume --out`,
  );
  expect(await exportCalls("--resume")).toMatchObject({ code: 0 });
  expect(await readMetadata(out)).toHaveLength(CALLS.length);
});
