// Spans of recordings that are muted in an export: silence in the file, nothing else changed, and no words of it anywhere.
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { unzipSync } from "fflate";
import { createFakeService } from "@call-media/testing";
import { serveFake } from "@call-media/testing/http";
import { describe, expect, test } from "vitest";
import {
  type FakeCall,
  type FakeOptions,
  MARCH,
  readManifest,
  readMetadata,
  readReport,
  readTree,
  startExporting,
} from "./support/exporting.ts";
import { listSilence, toCountedWav, toSha256 } from "./support/sounds.ts";

const CARD = "4111 1111 1111 1111";
const WAV = toCountedWav(12, 1, "spoken: 4111111111111111");
const SECOND = toCountedWav(6, 2);
const CALL: FakeCall = {
  call_id: "1001",
  ref_id: "ref-1001",
  datetime: "2026-03-02T06:14:00Z",
  talk_time: 12,
  transcript: `My card is ${CARD}, thank you`,
  recordings: [{ filename: "one.wav", bytes: WAV }],
};
const OTHER: FakeCall = {
  ...CALL,
  call_id: "1002",
  ref_id: "ref-1002",
  datetime: "2026-03-03T06:14:00Z",
  transcript: "Good morning",
  recordings: [{ filename: "other.wav", bytes: SECOND }],
};
const say = (second: number, transcript: string) => ({
  call_id: "1001",
  label: "Customer",
  transcript,
  datetime: `2026-03-02T06:14:${String(second).padStart(2, "0")}Z`,
});
const CHATS = [
  say(0, "Good morning"),
  say(1, "Your card, please"),
  say(3, `It is ${CARD}`),
  say(5, "Thank you"),
  say(10, "Goodbye"),
];
const SPANS = "call_id,part,from,to,channel,reason\n1001,1,3.2,4.75,,card number\n";
const OPTIONS: FakeOptions = { calls: [CALL, OTHER], chats: CHATS };

async function startMuting(
  options: FakeOptions = OPTIONS,
  spans = SPANS,
  change?: Parameters<typeof startExporting>[1],
) {
  const exporting = await startExporting(options, change);
  const file = join(dirname(exporting.out), "spans.csv");
  await writeFile(file, spans);
  const exportMuted = (...args: string[]) =>
    exporting.exportCalls(...MARCH, "--mute", file, ...args);
  return { ...exporting, file, exportMuted };
}

const findRecording = async (out: string, call: string) =>
  (await readManifest(out)).find(({ kind, call_id }) => kind === "recording" && call_id === call);

test("only the span is silent, and the manifest has both digests, the span and the user", async () => {
  const { out, exportMuted, runCommand } = await startMuting();
  expect(await exportMuted()).toMatchObject({ code: 0 });
  const entry = await findRecording(out, "1001");
  const bytes = new Uint8Array(await readFile(join(out, entry?.file ?? "")));
  expect(listSilence(bytes)).toEqual([[3.2, 4.75]]);
  expect(entry).toMatchObject({
    status: "complete",
    bytes: bytes.length,
    sha256: toSha256(bytes),
    verified: "digest",
    muted: {
      original: { bytes: WAV.length, sha256: toSha256(WAV) },
      spans: [{ part: 1, from: 3.2, to: 4.75, reason: "card number" }],
      by: { by: "API key" },
    },
  });
  const other = await findRecording(out, "1002");
  expect(other).toMatchObject({ sha256: toSha256(SECOND) });
  expect(other).not.toHaveProperty("muted");
  expect(await readReport(out)).toMatchObject({
    verdict: "complete",
    mute: { asked: 1, missing: [] },
    files: { muted: { recordings: 1, spans: 1, seconds: 1.55 } },
    unproved: [
      expect.stringContaining("1 muted recording is otherwise unchanged"),
      expect.stringContaining("a recording may have begun later"),
    ],
  });
  expect(await runCommand("verify", out)).toMatchObject({ code: 0 });
});

test("a muted copy of a file that ends early keeps that finding", async () => {
  const cut = WAV.slice(0, WAV.length / 2);
  const calls = [{ ...CALL, recordings: [{ filename: "one.wav", bytes: cut }] }];
  const { out, exportMuted } = await startMuting({ ...OPTIONS, calls });
  const { code, stdout } = await exportMuted();
  expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining("1 cut short") });
  const entry = await findRecording(out, "1001");
  expect(entry).toMatchObject({ sound: { findings: [{ kind: "truncated", percent: 50 }] } });
  expect(entry?.muted?.spans).toHaveLength(1);
});

test("a span that ends behind its recording, as that of a last line does, is muted to its end", async () => {
  const spans = SPANS.replace("3.2,4.75", "10,41");
  const { out, exportMuted, runCommand } = await startMuting(OPTIONS, spans);
  expect(await exportMuted()).toMatchObject({ code: 0 });
  const entry = await findRecording(out, "1001");
  expect(entry).toMatchObject({ muted: { spans: [{ part: 1, from: 10, to: 12 }] } });
  expect(listSilence(new Uint8Array(await readFile(join(out, entry?.file ?? ""))))).toEqual([
    [10, 12],
  ]);
  expect(await readReport(out)).toMatchObject({ verdict: "complete", mute: { missing: [] } });
  expect(await runCommand("verify", out)).toMatchObject({ code: 0 });
});

test("the words of the span go as well, and no original is left", async () => {
  const { out, exportMuted } = await startMuting();
  expect(await exportMuted()).toMatchObject({ code: 0 });
  const [record, other] = await readMetadata(out);
  expect([record, other].map((one) => one?.["transcript"])).toEqual(["Good morning", "[redacted]"]);
  const tree = await readTree(out);
  const [, text = ""] =
    Object.entries(tree).find(([file]) => /transcripts.*1001.*json$/.test(file)) ?? [];
  expect(JSON.parse(text)).toMatchObject({
    spoken: ["[redacted]"],
    messages: ["Good morning", ...Array(3).fill("[redacted]"), "Goodbye"].map((transcript) => ({
      transcript,
    })),
  });
  expect(Object.values(tree).join("")).not.toMatch(/4111/);
  expect(await readdir(join(out, ".call-media", "parts"))).toEqual([]);
});

test("a hand-over is muted as well, in its page and its spreadsheet too", async () => {
  const { out, exportMuted, runCommand, file } = await startMuting();
  await exportMuted();
  const zip = `${out}.zip`;
  const handed = await runCommand("export", ...MARCH, "--mute", file, "--hand-over", zip);
  expect(handed).toMatchObject({ code: 0 });
  expect(await runCommand("verify", zip)).toMatchObject({ code: 0 });
  const files = Object.entries(unzipSync(new Uint8Array(await readFile(zip))));
  const all = files.flatMap(([name, content]) => [
    content,
    ...(name.endsWith(".xlsx") ? Object.values(unzipSync(content)) : []),
  ]);
  const entry = await findRecording(out, "1001");
  const digests = all.map(toSha256);
  expect(digests).toContain(entry?.sha256);
  expect(digests).not.toContain(toSha256(WAV));
  expect(all.filter((content) => Buffer.from(content).includes("4111"))).toEqual([]);
});

describe("a recording that cannot be muted is rejected, never exported unmuted", () => {
  test.each([
    ["a codec", Buffer.from("OggS\0\u0002 some pages of Opus"), SPANS, /cannot be muted/],
    ["milliseconds", WAV, SPANS.replace("3.2,4.75", "3200,4750"), /begins behind the recording/],
    ["a channel", WAV, SPANS.replace("4.75,,", "4.75,2,"), /no channel 2/],
  ])("%s", async (_, content, spans, message) => {
    const recordings = [{ filename: "one.wav", bytes: new Uint8Array(content) }];
    const options = { ...OPTIONS, calls: [{ ...CALL, recordings }, OTHER] };
    const { out, exportMuted } = await startMuting(options, spans);
    expect(await exportMuted()).toMatchObject({ code: 3 });
    expect(await findRecording(out, "1001")).toMatchObject({
      status: "refused",
      file: null,
      error: expect.stringMatching(message),
    });
    expect(await readdir(join(out, "recordings"))).toEqual(["2026-03-03"]);
    expect(await readdir(join(out, ".call-media", "parts"))).toEqual([]);
  });
});

test("a span to mute without a recording is a fault", async () => {
  const spans = `${SPANS}1001,2,0,1,,\n10O1,1,0,1,,mistyped\n`;
  const { out, exportMuted } = await startMuting(OPTIONS, spans);
  expect(await exportMuted()).toMatchObject({ code: 3 });
  expect(await readReport(out)).toMatchObject({
    mute: {
      asked: 3,
      missing: ["0-1 s in recording 2 of call 1001", "0-1 s in recording 1 of call 10O1"],
    },
    faults: [expect.stringContaining("2 of 3 spans to mute were not found")],
  });
});

test("parts are those of the call, whichever leg has them, and equal bytes are muted wherever they are", async () => {
  const later: FakeCall = {
    ...CALL,
    ref_id: "ref-later",
    datetime: "2026-03-02T06:20:00Z",
    recordings: [
      { filename: "two.wav", bytes: SECOND },
      { filename: "again.wav", bytes: WAV },
    ],
  };
  const options = { calls: [CALL, later], chats: CHATS };
  const { out, exportMuted } = await startMuting(options, `${SPANS}1001,2,1,2,,\n`);
  expect(await exportMuted()).toMatchObject({ code: 0 });
  const entries = (await readManifest(out)).filter(({ kind }) => kind === "recording");
  const silences = entries.map(async ({ file }) =>
    listSilence(new Uint8Array(await readFile(join(out, file ?? "")))),
  );
  expect(await Promise.all(silences)).toEqual([[[1, 2]], [[3.2, 4.75]], [[3.2, 4.75]]]);
  // Nobody knows when the second recording of a leg began.
  const texts = Object.values(await readTree(out)).join("");
  expect(texts).not.toMatch(/Goodbye|4111/);
});

test("masking hides neither that the words go, nor lets a masked number into the report", async () => {
  const call = { ...CALL, call_id: "3cx-4155550102-7", ani: "4155550102" };
  const spans = SPANS.replace("1001", call.call_id);
  const { out, exportMuted } = await startMuting({ calls: [call, OTHER] }, spans);
  expect(await exportMuted("--redact", "ani", "--files", "recordings")).toMatchObject({ code: 3 });
  const texts = Object.values(await readTree(out)).join("");
  expect(texts).not.toMatch(/4111|4155550102/);
  expect(await readReport(out)).toMatchObject({
    mute: { asked: 1, missing: ["3.2-4.75 s in recording 1 of call [redacted]"] },
  });
});

test("a line lasts until its speaker says the next one, whatever others say meanwhile", async () => {
  const others = (second: number, transcript: string) => ({
    ...say(second, transcript),
    label: "Agent",
  });
  const chats = [
    say(2, "My name is Anna Santos, I was born"),
    others(3, "Mm-hm"),
    say(7, "Goodbye"),
    others(8, "Goodbye to you"),
  ];
  const { out, exportMuted } = await startMuting(
    { calls: [CALL, OTHER], chats },
    "call_id,from,to\n1001,5,5.5\n",
  );
  expect(await exportMuted()).toMatchObject({ code: 0 });
  const texts = Object.values(await readTree(out)).join("");
  expect(texts).not.toMatch(/Santos/);
  expect(texts).toMatch(/Goodbye to you/);
});

test("a muted recording stays muted if another recording is added before it", async () => {
  const calls = [CALL, OTHER];
  const { out, exportMuted, runCommand, variables } = await startMuting({ calls, chats: CHATS });
  expect(await exportMuted()).toMatchObject({ code: 0 });
  const { file = "" } = (await findRecording(out, "1001")) ?? {};
  const before = await readFile(join(out, file ?? ""));
  const earlier: FakeCall = {
    ...CALL,
    ref_id: "ref-earlier",
    datetime: "2026-02-28T06:00:00Z",
    recordings: [{ filename: "zero.wav", bytes: SECOND }],
  };
  await using later = await serveFake(createFakeService({ calls: [earlier, ...calls] }));
  await writeFile(join(out, file ?? ""), "damaged");
  // The archive went on where it is.
  const plan = join(out, ".call-media", "plan.json");
  const text = await readFile(plan, "utf8");
  await writeFile(plan, text.replace(String(variables["CALL_MEDIA_BASE_URL"]), later.baseUrl));
  variables["CALL_MEDIA_BASE_URL"] = later.baseUrl;
  expect(await runCommand("verify", "--repair", out)).toMatchObject({ code: 0 });
  expect(await readFile(join(out, file ?? ""))).toEqual(before);
});

test("where another recording cannot be asked for, one file fails and the export goes on", async () => {
  const spans = `${SPANS}1001,2,1,2,,\n`;
  const { out, exportMuted } = await startMuting(OPTIONS, spans, (url, answer) =>
    url.includes("part=2") ? new Response(null, { status: 500 }) : answer,
  );
  expect(await exportMuted()).toMatchObject({ code: 3 });
  expect(await findRecording(out, "1001")).toMatchObject({ status: "failed", file: null });
  expect(await findRecording(out, "1002")).toMatchObject({ status: "complete" });
  expect(await readdir(join(out, ".call-media", "parts"))).toEqual([]);
});

test("--resume continues with the same spans, and rejects others", async () => {
  const { out, file, exportMuted, runCommand } = await startMuting();
  await exportMuted();
  const resume = ["export", "--resume", "--out", out];
  expect(await runCommand(...resume)).toMatchObject({ code: 0 });
  await writeFile(file, SPANS.replace("3.2", "3.3"));
  const { code, stderr } = await runCommand(...resume, "--mute", file);
  expect([code, stderr]).toEqual([2, expect.stringContaining("begun with another --mute")]);
});

test.each([
  ["call_id,from\n1,2\n", "line 1 has no to"],
  ["call_id,from,to,colour\n1,2,3,red\n", "colour, which is none of call_id, part"],
  ["call_id,from,to\n1,5,3\n", "line 2: from 5 is not before to 3"],
  ["call_id,from,to\n1,x,3\n", "line 2: from must be seconds or h:mm:ss, and is x"],
  ["call_id,from,to\n,1,3\n", "line 2: call_id is missing"],
  ["call_id,part,from,to\n1,0,1,3\n", "line 2: part must be a number from 1 to 10,000, and is 0"],
  ["call_id,from,to\n1,1\n", "line 2 has 2 values for 3 columns"],
  ["call_id,from,to\n", "has no spans"],
  ['[{"call_id":"1","from":1}]', "item 1 has no to"],
  ['[{"call_id":"1","from":1,"to":"1:75"}]', "to must be seconds or h:mm:ss, and is 1:75"],
  ["[1", "is not JSON"],
])("refused before anything is asked for: %s", async (spans, message) => {
  const { exportMuted } = await startMuting(OPTIONS, spans);
  const { code, stderr } = await exportMuted();
  expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
});

test("the originals prove that nothing else was changed", async () => {
  const { out, exportMuted, runCommand } = await startMuting();
  await exportMuted();
  const originals = join(dirname(out), "originals");
  await mkdir(originals);
  const verifyAgain = () => runCommand("verify", out, "--originals", originals);
  const none = await verifyAgain();
  expect([none.code, none.stdout]).toEqual([1, expect.stringContaining("the original of rec")]);
  await writeFile(join(originals, "any-name"), WAV);
  const same = await verifyAgain();
  expect([same.code, same.stdout]).toEqual([0, expect.stringContaining("1 recording is what its")]);
  // A forger can change the file and the manifest together, but not the original.
  const entry = await findRecording(out, "1001");
  const manifest = join(out, "manifest.jsonl");
  const text = await readFile(manifest, "utf8");
  await writeFile(manifest, text.replace(entry?.sha256 ?? "", "0".repeat(64)));
  const changed = await verifyAgain();
  expect([changed.code, changed.stdout]).toEqual([1, expect.stringContaining("is not what")]);
  // A span that the original does not have was written into the manifest.
  await writeFile(manifest, text.replace('"to":4.75', '"to":4750'));
  const longer = await verifyAgain();
  expect([longer.code, longer.stdout]).toEqual([1, expect.stringContaining("is not what")]);
});

test("the spans of card numbers are proposed in the format that --mute reads", async () => {
  const { out, runCommand, exportMuted, file } = await startMuting();
  const proposed = await runCommand("transcript", "1001", "--format", "spans", "--out", file);
  expect(proposed).toMatchObject({ code: 0, stderr: "" });
  expect(await readFile(file, "utf8")).toBe(
    "call_id,part,from,to,reason\n1001,1,2,6,card number in the transcript\n",
  );
  expect(await exportMuted()).toMatchObject({ code: 0 });
  expect(await readReport(out)).toMatchObject({ files: { muted: { spans: 1, seconds: 4 } } });
});

test("an export without muted recordings is not said to be what its originals give", async () => {
  const { out, exportCalls, runCommand } = await startMuting();
  await exportCalls(...MARCH);
  expect(await runCommand("verify", out, "--originals", dirname(out))).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("nothing in this export was muted"),
  });
});
