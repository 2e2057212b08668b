// Exports for third parties have nothing in them that the service says of a recording in its own words.
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

const toCall = (filename: string, more: FakeCall = {}): FakeCall => ({
  call_id: "1001",
  datetime: "2026-03-02T06:14:00Z",
  ani: "+49 30 1234567",
  recordings: [{ filename, bytes: toBytes(900) }],
  ...more,
});
const FILES = [...MARCH, "--redact", "ani", "--files", "recordings"];

/** The text of all files of the folder except recordings, with the state of the export. */
async function readTexts(out: string): Promise<string> {
  const entries = await readdir(out, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile() && /\.jsonl?$/.test(entry.name))
    .map(({ parentPath, name }) => join(parentPath, name));
  return (await Promise.all(paths.map((path) => readFile(path, "utf8")))).join("\n");
}

test("the reason for a missing recording shows no masked value", async () => {
  const errorMessage = "File rec-49301234567.wav was not found";
  const refused = Response.json({ isError: true, errorMessage, data: [] }, { status: 404 });
  const calls = [toCall("rec.wav")];
  const { out, exportCalls } = await startExporting({ calls }, (url, answer) =>
    url.includes("/recording/") ? refused.clone() : answer,
  );
  const { code, stdout } = await exportCalls(...FILES);
  expect(code).toBe(3);
  expect(stdout).toContain("recording 1 of call 1001: the service answered with status 404");
  expect(stdout).not.toContain("1234567");
  expect(await readTexts(out)).not.toContain("1234567");
});

const toNamed = (url: string, answer: Response): Response => {
  if (url.includes("/recording/"))
    answer.headers.set("Content-Type", 'Audio/WAV; name="49301234567.wav"');
  return answer;
};

test.each([[FILES], [[...MARCH, "--files", "recordings"]]])(
  "a media type has no parameters, with %j",
  async (args) => {
    const { out, exportCalls } = await startExporting({ calls: [toCall("rec.wav")] }, toNamed);
    expect(await exportCalls(...args)).toMatchObject({ code: 0 });
    expect(await readManifest(out)).toMatchObject([{ content_type: "audio/wav" }, {}]);
    expect(await readTexts(out)).not.toContain("49301234567.wav");
  },
);

test.each([
  ["rec.1234567", "wav"],
  ["rec.MP3", "mp3"],
  ["rec", "wav"],
])("the extension of %s is .%s", async (filename, extension) => {
  // So long that what is begun is noted.
  const recordings = [{ filename, bytes: toBytes(300_000) }];
  const calls = [toCall(filename, { recordings })];
  const { out, exportCalls } = await startExporting({ calls }, toNamed);
  expect(await exportCalls(...FILES)).toMatchObject({ code: 0 });
  const file = `recordings/2026-03-02/1001.${extension}`;
  expect(await readManifest(out)).toMatchObject([{ file }, {}]);
  expect(await readTexts(out)).not.toContain("1234567");
});

test("a second recording that is the first again, of a service that knows no parts", async () => {
  const [first, second] = ["a.wav", "b.wav"].map((name, at) => ({
    filename: name,
    bytes: toBytes(900, at + 1),
  }));
  const calls = [toCall("", { recordings: [first, second].flatMap((one) => one ?? []) })];
  const { service, out, exportCalls } = await startExporting({ calls }, (url, answer) => {
    if (!url.includes("part=")) return answer;
    const headers = { Authorization: `Bearer ${service.apiKey}` };
    return service.fetch(url.replace(/part=\d+/, ""), { headers });
  });
  expect(await exportCalls(...FILES)).toMatchObject({ code: 3 });
  expect(await readManifest(out)).toMatchObject([
    { status: "complete" },
    { status: "missing" },
    {},
  ]);
});

test("files of a call whose identifier repeats a masked value are not asked for", async () => {
  const calls = [toCall("a.wav", { call_id: "49301234567-x", ref_id: "1" })];
  const { service, out, exportCalls } = await startExporting({ calls });
  const args = [...MARCH, "--redact", "ani", "--files", "recordings,transcripts"];
  expect(await exportCalls(...args)).toMatchObject({ code: 3 });
  const error = "its identifier repeats a masked value, so that the service cannot be asked for it";
  const missing = { call_id: "[redacted]-x", status: "missing", attempts: 0, error };
  expect(await readManifest(out)).toMatchObject([missing, missing, { kind: "metadata" }]);
  expect(await readMetadata(out)).toMatchObject([{ call_id: "[redacted]-x" }]);
  const asked = service.requests.map(({ operationId }) => operationId);
  expect(asked).not.toContain("streamRecordingByCallId");
  expect(asked).not.toContain("getChatByCallId");
});
