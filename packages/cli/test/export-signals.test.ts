// Signals that end an export: it says so, and how it goes on.
import { expect, test } from "vitest";
import { readMetadata } from "./support/exporting.ts";
import { CALLS, startHeld } from "./support/held.ts";

test.each(["SIGTERM", "SIGHUP"] as const)("%s", async (signal) => {
  const { out, exportCalls, running } = await startHeld();
  running.child.kill(signal);
  const { code, stderr } = await running.ended;
  expect(code).toBe(2);
  expect(stderr).toContain(
    `call-media: stopped by ${signal}: what came is kept; go on with call-media export --resume --out`,
  );
  expect(await exportCalls("--resume")).toMatchObject({ code: 0 });
  expect(await readMetadata(out)).toHaveLength(CALLS.length);
});
