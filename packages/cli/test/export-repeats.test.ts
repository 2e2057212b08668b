// Masked values wherever a record or its chat repeats them: however they are written, and never in a datetime.
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import {
  type FakeCall,
  MARCH,
  readManifest,
  readMetadata,
  startExporting,
  toBytes,
} from "./support/exporting.ts";

const CALL: FakeCall = {
  call_id: "1001",
  datetime: "2026-03-20T06:14:00Z",
  ani: "+49 30 1234567",
  customer_last_name: "Müller",
  zip: "2026",
  talk_time: 1234,
  handle_time: 1234,
};
const FIELDS = "ani,customer_last_name,zip,talk_time";
const METADATA = [...MARCH, "--redact", FIELDS];
const CHATS = [...METADATA, "--files", "transcripts"];

/** The first record as it is exported. */
async function exportNotes(notes: string) {
  const { out, exportCalls } = await startExporting({ calls: [{ ...CALL, notes }] });
  expect(await exportCalls(...METADATA)).toMatchObject({ code: 0 });
  const [record] = await readMetadata(out);
  return record;
}

test.each([
  ["an en dash", "49–30–1234567"],
  ["a hyphen that does not break", "49\u201130\u20111234567"],
  ["a comma", "49,30,123,45,67"],
  ["an underscore", "49_30_1234567"],
  ["a space that is not seen", "49\u200b30\u200b1234567"],
])("a number with %s between its digits", async (_, number) => {
  expect(await exportNotes(`call ${number}!`)).toMatchObject({ notes: "call [redacted]!" });
});

test("a letter that is written in two ways", async () => {
  const record = await exportNotes("Mu\u0308ller and Zoe\u0308");
  expect(record).toMatchObject({ notes: "[redacted] and Zoë" });
});

test("a text without a masked value stays unchanged", async () => {
  expect(await exportNotes("Zoe\u0308")).toMatchObject({ notes: "Zoe\u0308" });
});

test("the name of one of several recordings", async () => {
  const recordings = ["a.wav", "+4930.wav"].map((filename) => ({ filename, bytes: toBytes(9) }));
  const calls = [{ ...CALL, recordings, notes: "Listen to +4930.wav" }];
  const { out, exportCalls } = await startExporting({ calls });
  expect(await exportCalls(...METADATA)).toMatchObject({ code: 0 });
  expect(await readMetadata(out)).toMatchObject([{ notes: "Listen to [redacted]" }]);
});

test("a number of seconds that repeats another, and not the datetime", async () => {
  expect(await exportNotes("in 2026")).toMatchObject({
    datetime: "2026-03-20T06:14:00Z",
    talk_time: null,
    handle_time: null,
    notes: "in [redacted]",
  });
});

test("a telephone number that comes as a number", async () => {
  const { out, exportCalls } = await startExporting({ calls: [CALL] }, async (url, answer) => {
    if (!url.includes("/metadata/")) return answer;
    const text = (await answer.text()).replaceAll(
      /"phone_number1":null/g,
      '"phone_number1":49301234567',
    );
    return new Response(text, { headers: { "Content-Type": "application/json" } });
  });
  expect(await exportCalls(...METADATA)).toMatchObject({ code: 0 });
  expect(await readMetadata(out)).toMatchObject([{ phone_number1: null }]);
});

const MESSAGE = {
  call_id: "1001",
  room_id: "whatsapp-49301234567",
  party_type: "Müller",
  label: "+49 30 1234567",
  transcript: "Müller here",
  datetime: "2026-03-20T06:14:00Z",
};

test("every text of a message but its datetime", async () => {
  const { out, exportCalls } = await startExporting({ calls: [CALL], chats: [MESSAGE] });
  expect(await exportCalls(...CHATS)).toMatchObject({ code: 0 });
  const chat = await readFile(join(out, "transcripts/2026-03-20/1001.json"), "utf8");
  expect(JSON.parse(chat)).toMatchObject({
    messages: [
      {
        call_id: "1001",
        room_id: "whatsapp-[redacted]",
        party_type: "[redacted]",
        label: "+[redacted]",
        transcript: "[redacted] here",
        datetime: "2026-03-20T06:14:00Z",
      },
    ],
  });
});

test.each([
  ["no record", []],
  ["a record without the values", [{ call_id: "1001" }]],
])("a chat is not written if the service returns %s for its call", async (_, data) => {
  const options = { calls: [CALL], chats: [MESSAGE] };
  const { out, exportCalls } = await startExporting(options, (url, answer) =>
    url.includes("/metadata/by-call-id/")
      ? Response.json({ isError: false, errorMessage: null, data })
      : answer,
  );
  expect(await exportCalls(...CHATS)).toMatchObject({ code: 3 });
  const [entry] = await readManifest(out);
  const error = "the service does not give its record again, which has what to mask in it";
  expect(entry).toMatchObject({ kind: "transcript", status: "failed", file: null, error });
  expect(await readdir(out)).not.toContain("transcripts");
});

test("a condition on the transcript, which is masked without --files", async () => {
  const { exportCalls } = await startExporting({ calls: [CALL] });
  expect(await exportCalls(...METADATA, "--where", 'transcript ~ "I am"')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("--redact masks transcript: a search by it would reveal"),
  });
});
