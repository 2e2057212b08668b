// Exports from services that answer otherwise: all comes that they have, and the report says what they did not let be proved.
import { hash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import {
  type FakeCall,
  MARCH,
  readManifest,
  readMetadata,
  readReport,
  readTree,
  startExporting,
  toBytes,
} from "./support/exporting.ts";

const CALLS: readonly FakeCall[] = Array.from({ length: 130 }, (_, index) => ({
  call_id: String(1000 + index),
  datetime: `2026-03-${index < 70 ? "05" : String((index % 28) + 1).padStart(2, "0")}T22:14:00`,
  talk_time: index,
  recordings: index % 13 === 0 ? [{ filename: `a${index}.wav`, bytes: toBytes(600 + index) }] : [],
}));

const FOREIGN = {
  firstPage: 1,
  pastTheEndStatus: 404,
  recordCount: "page",
  endDate: "excluded",
  order: "oldest-first",
  utcOffsetMinutes: { from: -300, to: -300 },
  streamRanges: false,
  streamDigest: false,
} as const;

test("pages from 1, no numbers, no digests, no ranges, a last day that does not count", async () => {
  const { service, out, exportCalls, runCommand } = await startExporting({
    calls: CALLS,
    profile: FOREIGN,
  });
  // A cut that cannot be gone on from: the recording is begun again.
  service.inject({ kind: "cut", afterBytes: 100, operation: "streamRecordingByCallId", times: 2 });
  expect(await exportCalls(...MARCH)).toMatchObject({ code: 0 });
  const ids = (await readMetadata(out)).map(({ call_id }) => String(call_id)).toSorted();
  expect(ids).toEqual(CALLS.map(({ call_id }) => String(call_id)).toSorted());
  const report = await readReport(out);
  expect(report).toMatchObject({
    verdict: "complete",
    records: { announced: null, came: 130, written: 130 },
    files: { expected: 10, complete: 10, verified: { digest: 0, length: 10, nothing: 0 } },
  });
  expect(report.unproved).toEqual([
    expect.stringMatching(/^that all records came: /),
    expect.stringMatching(/^that 10 recordings are what the service has/),
    expect.stringMatching(/^that 10 recordings have sound/),
  ]);
  expect(await runCommand("verify", out)).toMatchObject({ code: 0 });
  const entry = (await readManifest(out)).find(({ call_id }) => call_id === "1013");
  const content = await readFile(join(out, entry?.file ?? ""));
  expect(new Uint8Array(content)).toEqual(toBytes(613));
});

test("the last day is found out where the only record is on it", async () => {
  const [first] = CALLS;
  const { out, exportCalls } = await startExporting({
    calls: first === undefined ? [] : [first],
    profile: FOREIGN,
  });
  const day = ["--from", "2026-03-05", "--to", "2026-03-05", "--files", "none"];
  expect(await exportCalls(...day)).toMatchObject({ code: 0 });
  expect(await readMetadata(out)).toHaveLength(1);
});

test("recordings of a call with several records, in whatever order the service counts them", async () => {
  const leg = (hour: number, filename: string, seed: number): FakeCall => ({
    call_id: "transfer",
    ref_id: `leg-${hour}`,
    datetime: `2026-03-05T${hour}:00:00Z`,
    recordings: [{ filename, bytes: toBytes(500, seed) }],
  });
  // The first two have recordings of one name, each its own; the third is of another day.
  const third = { ...leg(13, "other.wav", 4), datetime: "2026-03-06T00:30:00Z" };
  const { out, exportCalls } = await startExporting({
    calls: [leg(10, "same.wav", 2), leg(11, "same.wav", 3), third],
  });
  expect(await exportCalls(...MARCH, "--files", "recordings")).toMatchObject({ code: 0 });
  const manifest = await readManifest(out);
  const read = async (ref_id: string) => {
    const entry = manifest.find((one) => one.ref_id === ref_id);
    return new Uint8Array(await readFile(join(out, entry?.file ?? "")));
  };
  expect(await read("leg-10")).toEqual(toBytes(500, 2));
  expect(await read("leg-11")).toEqual(toBytes(500, 3));
  expect(await read("leg-13")).toEqual(toBytes(500, 4));
});

test.each([
  [
    "says so",
    { isError: true, errorMessage: "The tape is broken", data: [] },
    "The tape is broken",
  ],
  ["has no success", { data: { success: false } }, expect.stringMatching(/ was refused$/)],
])(
  "a refusal that comes as if it were a recording, and %s, is not kept",
  async (_, said, error) => {
    const text = JSON.stringify(said);
    const headers = { "Content-Type": "audio/wav" };
    const { out, exportCalls, runCommand } = await startExporting({ calls: CALLS }, (url, answer) =>
      url.includes("/recording/stream-by-call-id/1013") ? new Response(text, { headers }) : answer,
    );
    const wanted = [...MARCH, "--files", "recordings"];
    expect(await exportCalls(...wanted)).toMatchObject({ code: 3 });
    const { files } = await readReport(out);
    expect(files).toMatchObject({ expected: 10, complete: 9, failed: 1 });
    const entry = (await readManifest(out)).find(({ call_id }) => call_id === "1013");
    expect(entry).toMatchObject({ status: "failed", error, file: null, sha256: null, attempts: 1 });
    expect(Object.values(await readTree(out))).not.toContain(text);
    expect(await readdir(join(out, ".call-media/parts"))).toEqual([]);
    expect(await runCommand("verify", out)).toMatchObject({ code: 0 });
  },
);

const addNull = (body: { data: unknown[] }) => ({ ...body, data: [...body.data, null] });

test("null instead of a record ends an export with advice for the user", async () => {
  const { out, exportCalls } = await startExporting({ calls: CALLS }, async (url, answer) =>
    url.includes("/metadata/by-custom")
      ? Response.json(addNull((await answer.json()) as { data: unknown[] }))
      : answer,
  );
  const { code, stderr } = await exportCalls(...MARCH);
  expect(code).toBe(1);
  expect(stderr).toMatch(/ was answered 200 with null in place of a record .* tell its operator; /);
  expect(await readdir(out)).toEqual([".call-media"]);
});

test("null in place of a record of a call leaves its recordings alone", async () => {
  const { out, exportCalls } = await startExporting({ calls: CALLS }, async (url, answer) =>
    url.includes("/metadata/by-call-id/")
      ? Response.json(addNull((await answer.json()) as { data: unknown[] }))
      : answer,
  );
  const wanted = [...MARCH, "--files", "recordings", "--where", "talk_time == 13"];
  expect(await exportCalls(...wanted)).toMatchObject({ code: 3 });
  const [entry] = await readManifest(out);
  const error = expect.stringMatching(/ was answered 200 with null in place of a record$/);
  expect(entry).toMatchObject({ status: "failed", error, file: null });
});

test("a datetime that is a number has no day of its own", async () => {
  const [call] = CALLS;
  const { out, exportCalls } = await startExporting(
    { calls: call === undefined ? [] : [call] },
    async (url, answer) => {
      answer.headers.delete("Recording-Of");
      if (!url.includes("/metadata/")) return answer;
      const text = await answer.text();
      return new Response(text.replaceAll(/"datetime":"[^"]*"/g, '"datetime":1772748840'), answer);
    },
  );
  const name = "{date}_{time}_{call_id}";
  expect(await exportCalls(...MARCH, "--files", "recordings", "--name", name)).toMatchObject({
    code: 0,
  });
  expect((await readManifest(out))[0]?.file).toMatch(/1772748840_none_1000\.wav$/);
});

test("a numeric identifier fails the recording, because masks are found only in text", async () => {
  const calls = CALLS.slice(0, 1);
  const { out, exportCalls } = await startExporting({ calls }, async (url, answer) => {
    if (!url.includes("/metadata/")) return answer;
    const text = await answer.text();
    return new Response(text.replaceAll(/"call_id":"(\d+)"/g, '"call_id":$1'), answer);
  });
  const wanted = [...MARCH, "--redact", "ani", "--files", "recordings"];
  expect(await exportCalls(...wanted)).toMatchObject({ code: 3 });
  expect((await readManifest(out))[0]).toMatchObject({ call_id: 1000, status: "failed" });
});

test.each([
  ["neither length nor digest", 3, ["Content-Length", "Repr-Digest"]],
  ["no digest", 3, ["Repr-Digest"]],
  ["the digest of nothing", 0, []],
])("an empty recording with %s ends it with %i", async (_, code, left) => {
  const recordings = [{ filename: "a.wav", bytes: new Uint8Array(1) }];
  const calls = [{ call_id: "1", datetime: "2026-03-05T06:14:00Z", recordings }];
  const { out, exportCalls } = await startExporting({ calls }, (url, answer) => {
    if (!url.includes("/recording/")) return answer;
    // An archive has none that is empty.
    const headers = new Headers(answer.headers);
    headers.set("Content-Length", "0");
    headers.set("Repr-Digest", `sha-256=:${hash("sha256", "", "base64")}:`);
    for (const name of left) headers.delete(name);
    return new Response(new Uint8Array(), { headers });
  });
  expect(await exportCalls(...MARCH, "--files", "recordings")).toMatchObject({ code });
  const [entry] = await readManifest(out);
  expect(entry).toMatchObject(
    code === 0 ? { status: "complete", bytes: 0 } : { status: "missing", file: null },
  );
});

test("a warning names a datetime that a condition cannot compare", async () => {
  const calls = ["2026-03-03T10:00:00Z", "2026-03-04T10:00:00Z"].map((datetime) => ({ datetime }));
  const { out, exportCalls } = await startExporting({ calls }, async (_url, answer) => {
    const text = await answer.text();
    return new Response(text.replaceAll("2026-03-04T10:00:00Z", "soon"), answer);
  });
  const { code, stderr } = await exportCalls(...MARCH, "--where", "datetime > 2026-03-01");
  expect(code).toBe(0);
  expect(stderr).toContain('Warning: --where cannot compare datetimes such as "soon"');
  expect(await readMetadata(out)).toHaveLength(1);
});
