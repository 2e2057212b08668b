// A name of a recording with the separator of names in it: the list of a record cannot tell, the service's own names can.
import { expect, test } from "vitest";
import {
  type FakeCall,
  MARCH,
  readManifest,
  startExporting,
  toBytes,
} from "./support/exporting.ts";

const toRecordings = (...names: string[]) =>
  names.map((filename, index) => ({ filename, bytes: toBytes(700 + index) }));

const toLeg = (call_id: string, time: string, recordings: FakeCall["recordings"] = []) => ({
  call_id,
  datetime: `2026-03-01T${time}:00Z`,
  recordings,
});

const CALLS = [
  toLeg("1", "06:14", toRecordings("Call 7; Meyer; 2.wav", "b.wav")),
  toLeg("2", "07:14", toRecordings("x; y.wav")),
  toLeg("2", "07:20", toRecordings("z.wav", "u; v.wav")),
  toLeg("3", "08:14", toRecordings("plain.wav")),
  { ...toLeg("", "09:14", toRecordings("q; r.wav")), call_id: null, ref_id: "R-4" },
];

test("an export takes it for one, and finds those that come after it", async () => {
  const { out, exportCalls, runCommand } = await startExporting({ calls: CALLS });
  const args = [...MARCH, "--files", "recordings"];
  expect(await exportCalls(...args)).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("7 expected, 7 complete"),
  });
  const entries = (await readManifest(out)).filter(({ kind }) => kind === "recording");
  const sizes = entries.map(({ call_id, bytes }) => `${call_id} ${bytes}`).toSorted();
  expect(sizes).toEqual(["1 700", "1 701", "2 700", "2 700", "2 701", "3 700", "null 700"]);
  expect(await exportCalls("--resume")).toMatchObject({ code: 0 });
  expect(await runCommand("verify", out)).toMatchObject({ code: 0 });
});

test("a recording that the service does not have stays missing", async () => {
  const { service, out, exportCalls } = await startExporting({ calls: CALLS.slice(1, 3) });
  const operation = ["streamRecordingByCallId", "getRecordingByCallId"] as const;
  service.inject({ kind: "status", status: 404, operation, times: 99 });
  expect(await exportCalls(...MARCH, "--files", "recordings")).toMatchObject({ code: 3 });
  const statuses = (await readManifest(out)).map(({ status }) => status);
  expect(statuses).toEqual(["missing", "missing", "missing", "missing", "missing", "complete"]);
});

test("a vCon has it once", async () => {
  const { runCommand } = await startExporting({ calls: CALLS });
  const { code, stdout, stderr } = await runCommand("transcript", "1", "--format", "vcon");
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  const { dialog } = JSON.parse(stdout) as { dialog: readonly { filename?: string }[] };
  expect(dialog.flatMap(({ filename }) => filename ?? [])).toEqual([
    "Call 7; Meyer; 2.wav",
    "b.wav",
  ]);
});
