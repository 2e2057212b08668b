// Exports for third parties: what is masked is nowhere in the folder, in no file, no name and no state.
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import {
  type FakeCall,
  MARCH,
  readManifest,
  readMetadata,
  readReport,
  startExporting,
  toBytes,
} from "./support/exporting.ts";

const CALL: FakeCall = {
  call_id: "1001",
  ref_id: "ref-1001",
  datetime: "2026-03-02T06:14:00+01:00",
  ani: "+49 30 1234567",
  phone_number1: "0049301234567",
  customer_last_name: "Quincy (Mrs.)",
  customer_email: "quincy (mrs.)@example.com",
  talk_time: 95,
  notes: "Quincy (mrs.) of 49-30-123.4567 wants a call",
  transcript: "My number is +49301234567",
  agent: "ana.kovac",
  recordings: [{ filename: "+49301234567.wav", bytes: toBytes(900, 7) }],
};
const CHAT = {
  call_id: "1001",
  label: "quincy (mrs.)",
  transcript: "Here is QUINCY (MRS.)",
  datetime: "2026-03-02T06:00:00Z",
};
const FIELDS = "ani,customer_last_name,talk_time";

/** Every byte of the folder, its state and its names too. */
async function readAll(out: string): Promise<string> {
  const entries = await readdir(out, { recursive: true, withFileTypes: true });
  const texts = entries.map(async (entry) => {
    const path = join(entry.parentPath, entry.name);
    return entry.isFile() ? `${path}\n${await readFile(path, "latin1")}` : path;
  });
  return (await Promise.all(texts)).join("\n");
}

const SECRETS = /quincy|1234567|123\.4567/i;

test("an export of metadata only masks a value wherever it occurs", async () => {
  const { out, exportCalls } = await startExporting({ calls: [CALL], chats: [CHAT] });
  expect(await exportCalls(...MARCH, "--redact", FIELDS)).toMatchObject({ code: 0 });
  const [record] = await readMetadata(out);
  expect(record).toMatchObject({
    call_id: "1001",
    ani: "[redacted]",
    phone_number1: "00[redacted]",
    customer_last_name: "[redacted]",
    customer_email: "[redacted]@example.com",
    talk_time: null,
    notes: "[redacted] of [redacted] wants a call",
    transcript: "[redacted]",
    recordings: "[redacted]",
    agent: "ana.kovac",
    zip: null,
  });
  expect(await readAll(out)).not.toMatch(SECRETS);
  expect(await readdir(out)).not.toContain("recordings");
  const redacted = ["ani", "talk_time", "recordings", "customer_last_name", "transcript"];
  expect(await readManifest(out)).toMatchObject([{ kind: "metadata", redacted }]);
  expect(await readReport(out)).toMatchObject({ redacted });
});

test("files that are asked for: chats are masked, and names are of the masked record", async () => {
  const { out, exportCalls } = await startExporting({ calls: [CALL], chats: [CHAT] });
  const files = ["--files", "recordings,transcripts", "--name", "{ani} {agent} {recordings}"];
  expect(await exportCalls(...MARCH, "--redact", FIELDS, ...files)).toMatchObject({ code: 0 });
  expect(await readAll(out)).not.toMatch(SECRETS);
  const redacted = ["ani", "talk_time", "recordings", "customer_last_name"];
  expect(await readManifest(out)).toMatchObject([
    { kind: "recording", redacted: [] },
    { kind: "transcript", redacted },
    { kind: "metadata", redacted },
  ]);
  const name = "[redacted] ana.kovac [redacted]";
  expect(new Uint8Array(await readFile(join(out, `recordings/2026-03-02/${name}.wav`)))).toEqual(
    toBytes(900, 7),
  );
  const chat = await readFile(join(out, `transcripts/2026-03-02/${name}.json`), "utf8");
  expect(JSON.parse(chat)).toMatchObject({
    spoken: ["My number is +[redacted]"],
    messages: [{ label: "[redacted]", transcript: "Here is [redacted]" }],
  });
});

test("identifiers are masked only where no files belong to them", async () => {
  const { exportCalls } = await startExporting({ calls: [CALL] });
  const files = ["--redact", "call_id", "--files", "recordings"];
  expect(await exportCalls(...MARCH, ...files)).toMatchObject({ code: 2 });
});

test.each([
  ["a later page and window leave out", [], 62],
  ["a condition leaves out", ["--where", 'notes ~ "again"'], 1],
])("a leg gives up the values of another one that %s", async (_, options, count) => {
  const between = Array.from({ length: 60 }, (__, index) => ({
    call_id: `other-${index}`,
    ref_id: `other-${index}`,
    datetime: `2026-03-02T07:00:${String(index).padStart(2, "0")}+01:00`,
  }));
  const later: FakeCall = {
    call_id: "1001",
    ref_id: "ref-later",
    datetime: "2026-03-20T08:00:00+01:00",
    notes: "Quincy (mrs.) again",
  };
  const { out, exportCalls } = await startExporting({ calls: [CALL, ...between, later] });
  expect(await exportCalls(...MARCH, "--redact", FIELDS, ...options)).toMatchObject({ code: 0 });
  expect(await readMetadata(out)).toHaveLength(count);
  expect(await readAll(out)).not.toMatch(SECRETS);
});
