// What was said and written in a call, in every form.
import { createHash } from "node:crypto";
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createFakeService } from "@call-media/testing";
import { type ServedFake, serveFake } from "@call-media/testing/http";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { run } from "./support/program.ts";

const BYTES = new Uint8Array(5000).map((_, index) => index % 251);
const service = createFakeService({
  calls: [
    {
      call_id: "1001",
      datetime: "2026-03-02T06:14:00+01:00",
      talk_time: 95,
      transcript: "Agent: Hello & welcome\n\nCustomer: <b>Hi</b>",
      recordings: [
        { filename: "a b.wav", bytes: BYTES },
        { filename: "b.wav", bytes: BYTES.slice(7) },
      ],
    },
    { call_id: "1002" },
    { call_id: "1003", transcript: "No times" },
    {
      call_id: "legs",
      datetime: "2026-03-02T10:00:00Z",
      agent: "ana",
      agent_name: "Ana Ortiz",
      talk_time: 40,
      transcript: "I put you through.",
    },
    {
      call_id: "legs",
      datetime: "2026-03-02T10:00:40Z",
      agent: "bo",
      talk_time: 60,
      transcript: "This is Bo.",
    },
    { call_id: "1005", ref_id: "A", recordings: [{ filename: "same.wav", bytes: BYTES }] },
    {
      call_id: "1005",
      ref_id: "B",
      recordings: [
        { filename: "SAME.wav", bytes: BYTES.slice(1) },
        { filename: "call.json", bytes: BYTES.slice(2) },
      ],
    },
  ],
  chats: [
    {
      call_id: "1002",
      transcript: "Is this\n--> open?",
      datetime: "2026-03-02T06:00:00Z",
      party_type: "Customer",
      label: "Bo",
    },
    { call_id: "1002", transcript: "Yes.", datetime: "2026-03-02T07:01:02.5Z" },
    {
      call_id: "forged",
      transcript: "May I?\r\n2026-03-04T07:00:01Z  Agent: Yes.",
      datetime: "2026-03-04T07:00:00Z",
      party_type: "Customer",
      label: "Bo\n2026",
    },
    { call_id: "chat", transcript: "Hi.", datetime: "2026-03-03T07:00:00Z" },
  ],
});

let served: ServedFake;
let folder: string;
beforeEach(async () => {
  served = await serveFake(service);
  folder = await mkdtemp(join(tmpdir(), "call-media-cli-"));
});
afterEach(async () => {
  await served.close();
  await rm(folder, { recursive: true });
});

const transcript = (args: string) => callMedia("transcript", ...args.split(" "));

const callMedia = (...args: readonly string[]) =>
  run(
    args,
    { CALL_MEDIA_BASE_URL: served.baseUrl, CALL_MEDIA_API_KEY: service.apiKey },
    { cwd: folder },
  );

const read = (name: string) => readFile(join(folder, name));

test("text", async () => {
  expect((await transcript("1001")).stdout).toBe("Agent: Hello & welcome\n\nCustomer: <b>Hi</b>\n");
  expect((await transcript("1002")).stdout).toBe(
    "2026-03-02T06:00:00Z  Bo (Customer): Is this\n    --> open?\n2026-03-02T07:01:02.5Z  Agent: Yes.\n",
  );
});

test("a message cannot pass for another one", async () => {
  const chat = await transcript("forged");
  const lines = [
    "2026-03-04T07:00:00Z  Bo 2026 (Customer): May I?",
    "    2026-03-04T07:00:01Z  Agent: Yes.",
  ];
  expect(chat.stdout).toBe(`${lines.join("\n")}\n`);
  expect((await callMedia("get", "forged")).stdout).toContain(lines.join("\n"));
});

test("a chat without a call is shown, but as a vCon", async () => {
  const line = "2026-03-03T07:00:00Z  Agent: Hi.\n";
  expect(await transcript("chat")).toMatchObject({ code: 0, stdout: line });
  expect((await transcript("chat --format vtt")).stdout).toContain("00:00:05.000\n<v Agent>Hi.");
  const { stdout } = await transcript("chat --json");
  expect(JSON.parse(stdout)).toMatchObject({ call_id: "chat", datetime: null, spoken: [] });
  expect((await callMedia("get", "chat")).stdout).toBe(`chat\n${line}`);
  const vcon = await transcript("chat --format vcon");
  expect(vcon).toMatchObject({ code: 1, stderr: expect.stringContaining("--format json prints") });
});

test("a file that others could read is for its owner alone", async () => {
  await writeFile(join(folder, "call.txt"), "before", { mode: 0o644 });
  expect(await transcript("1001 --out call.txt")).toMatchObject({ code: 0 });
  expect((await stat(join(folder, "call.txt"))).mode & 0o777).toBe(0o600);
  expect(String(await read("call.txt"))).toContain("Agent: Hello & welcome");
});

test("- is standard output, and a file's name says its format", async () => {
  const { stdout } = await transcript("1001");
  expect(await transcript("1001 --out -")).toMatchObject({ code: 0, stdout, stderr: "" });
  expect(await readdir(folder)).toEqual([]);
  for (const name of ["a.vtt", "a.JSON", "a.vcon.json", "a.vcon", "a.txt", "a"])
    expect(await transcript(`1001 --out ${name}`)).toMatchObject({ code: 0 });
  expect(String(await read("a.vtt"))).toMatch(/^WEBVTT/);
  expect(JSON.parse(String(await read("a.JSON")))).toHaveProperty("spoken");
  for (const name of ["a.vcon.json", "a.vcon"])
    expect(JSON.parse(String(await read(name)))).toHaveProperty("dialog");
  for (const name of ["a.txt", "a"]) expect(String(await read(name))).toBe(stdout);
  await transcript("1001 --format json --out b.vtt");
  expect(JSON.parse(String(await read("b.vtt")))).toHaveProperty("spoken");
});

test("WebVTT of a transcript is one cue, of the call's length", async () => {
  expect((await transcript("1001 --format vtt")).stdout).toBe(
    "WEBVTT\n\n00:00:00.000 --> 00:01:35.000\nAgent: Hello &amp; welcome\nCustomer: &lt;b&gt;Hi&lt;/b&gt;\n",
  );
});

test("legs stand in the order in which they were spoken, each with its agent and its time", async () => {
  expect((await transcript("legs")).stdout).toBe(
    "2026-03-02T10:00:00Z  Ana Ortiz\nI put you through.\n\n2026-03-02T10:00:40Z  bo\nThis is Bo.\n",
  );
  expect((await transcript("legs --format vtt")).stdout).toBe(
    "WEBVTT\n\n00:00:00.000 --> 00:00:40.000\nI put you through.\n\n00:00:40.000 --> 00:01:40.000\nThis is Bo.\n",
  );
  expect(JSON.parse((await transcript("legs --json")).stdout)).toMatchObject({
    datetime: "2026-03-02T10:00:00Z",
    spoken: ["I put you through.", "This is Bo."],
  });
  const vcons = (await transcript("legs --format vcon")).stdout.trimEnd().split("\n");
  expect(vcons.map((line): unknown => JSON.parse(line))).toMatchObject([
    { analysis: [{ body: "I put you through." }] },
    { analysis: [{ body: "This is Bo." }] },
  ]);
});

test("times without an offset are of the archive's zone, in the order of legs and in a vCon", async () => {
  const archive = createFakeService({
    calls: [
      { call_id: "1", datetime: "2026-03-05T10:00:00", transcript: "First" },
      { call_id: "1", datetime: "2026-03-05T06:00:00Z", transcript: "Second" },
    ],
    profile: { utcOffsetMinutes: { from: 345, to: 345 } },
  });
  await using away = await serveFake(archive);
  const variables = { CALL_MEDIA_BASE_URL: away.baseUrl, CALL_MEDIA_API_KEY: archive.apiKey };
  const { stdout: text } = await run(["transcript", "1"], variables);
  expect(text.match(/First|Second/g)).toEqual(["First", "Second"]);
  const { stdout: vcons } = await run(["transcript", "1", "--format", "vcon"], variables);
  const starts = [...new Set(vcons.match(/"start":"[^"]*"/g))];
  expect(starts).toEqual([
    '"start":"2026-03-05T04:15:00.000Z"',
    '"start":"2026-03-05T06:00:00.000Z"',
  ]);
});

test("WebVTT of a chat shows each message until the next", async () => {
  expect((await transcript("1002 --format vtt")).stdout).toBe(
    [
      "WEBVTT",
      "",
      "00:00:00.000 --> 01:01:02.500",
      "<v Bo (Customer)>Is this",
      "--&gt; open?",
      "",
      "01:01:02.500 --> 01:01:07.500",
      "<v Agent>Yes.",
      "",
    ].join("\n"),
  );
});

describe("a chat whose service leaves times out, or their offsets", () => {
  const TIMES = ["", "2026-03-02T06:00:10", null, "2026-03-02 06:00:30 Z"];
  const change = ({ data, ...answer }: Record<string, unknown>) => {
    const [first] = data as readonly object[];
    const toMessage = (datetime: string | null) => ({ ...first, datetime, transcript: "Hi", x: 1 });
    return { ...answer, data: TIMES.map(toMessage) };
  };
  beforeEach(() => service.inject({ kind: "drift", operation: "getChatByCallId", change }));

  test("as WebVTT", async () => {
    const { stdout } = await transcript("1002 --format vtt");
    expect(stdout.match(/^.* --> .*$/gm)).toEqual([
      "00:00:00.000 --> 00:00:01.000",
      "00:00:00.000 --> 00:00:01.000",
      "00:00:00.000 --> 00:00:20.000",
      "00:00:20.000 --> 00:00:25.000",
    ]);
  });

  test("as a vCon", async () => {
    const { dialog, attachments } = JSON.parse((await transcript("1002 --format vcon")).stdout);
    const [at, last] = ["2026-03-02T06:00:10.000Z", "2026-03-02T06:00:30.000Z"];
    expect(dialog.map(({ start }: { start: string }) => start)).toEqual([at, at, at, last]);
    const { messages } = attachments[0].body;
    const times = messages.map(({ datetime }: { datetime: string }) => datetime);
    expect(times).toEqual([at, "2026-03-02T06:00:10", at, "2026-03-02 06:00:30 Z"]);
    expect(messages[0]).not.toHaveProperty("x");
  });
});

test("JSON", async () => {
  expect(JSON.parse((await transcript("1002 --format json")).stdout)).toMatchObject({
    call_id: "1002",
    spoken: [],
    messages: [{ label: "Bo" }, { transcript: "Yes." }],
  });
});

test.each([
  ["1002 --format vtt --media inside", 2, "--media goes with --format vcon"],
  ["1001 --format vcon --media beside", 2, "--media beside needs --out"],
  ["1003 --format vtt", 1, "call 1003 has no talk_time"],
  ["1004", 1, "there is no call 1004"],
])("%s is refused", async (args, code, message) => {
  const ended = await transcript(args);
  expect(ended).toMatchObject({ code, stdout: "" });
  expect(ended.stderr).toContain(message);
});

describe("a vCon", () => {
  test("has the recordings inside", async () => {
    const { code, stdout } = await transcript("1001 --format vcon");
    expect(code).toBe(0);
    const body = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64url");
    expect(JSON.parse(stdout)).toMatchObject({
      uuid: expect.stringMatching(
        /^[\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/,
      ),
      dialog: [
        { type: "recording", start: "2026-03-02T05:14:00.000Z", body: body(BYTES) },
        { filename: "b.wav", encoding: "base64url", body: body(BYTES.slice(7)) },
      ],
      attachments: [{ body: { fields: { datetime: "2026-03-02T06:14:00+01:00" } } }],
    });
  });

  test("or next to it, with their digests, readable only by their owner", async () => {
    const args = "1001 --format vcon --media beside --out call.json";
    expect(await transcript(args)).toEqual({ code: 0, stdout: "", stderr: "" });
    expect((await readdir(folder)).toSorted()).toEqual(["a b.wav", "b.wav", "call.json"]);
    expect((await stat(join(folder, "b.wav"))).mode & 0o777).toBe(0o600);
    expect(new Uint8Array(await read("a b.wav"))).toEqual(BYTES);
    const digest = createHash("sha512").update(BYTES).digest("base64url");
    const address = `${served.baseUrl}/recording/stream-by-call-id/1001`;
    expect(JSON.parse(String(await read("call.json")))).toMatchObject({
      dialog: [
        { filename: "a b.wav", url: address, content_hash: `sha512-${digest}` },
        { filename: "b.wav", url: `${address}?part=2` },
      ],
    });
  });

  test("or next to it under new names, if two names collide", async () => {
    const args = "1005 --format vcon --media beside --out call.json";
    expect(await transcript(args)).toMatchObject({ code: 0, stderr: "" });
    const names = ["same.wav", "SAME~2.wav", "call~2.json"];
    expect((await readdir(folder)).toSorted()).toEqual(["call.json", ...names].toSorted());
    const files = await Promise.all(names.map(read));
    expect(files.map(({ length }) => length)).toEqual([5000, 4999, 4998]);
    const lines = String(await read("call.json"))
      .trimEnd()
      .split("\n");
    expect(lines.map((line): unknown => JSON.parse(line))).toMatchObject([
      { dialog: [{ filename: "same.wav" }] },
      { dialog: [{ filename: "SAME~2.wav" }, { filename: "call~2.json" }] },
    ]);
  });

  test("of a service that counts the recordings in place of their names", async () => {
    const operation = "getMetadataByCallId";
    const change = ({ data, ...answer }: Record<string, unknown>) => ({
      ...answer,
      data: (data as readonly object[]).map((record) => ({ ...record, recordings: 1 })),
    });
    service.inject({ kind: "drift", operation, change });
    const { code, stdout } = await transcript("1001 --format vcon");
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ dialog: [{ filename: "a b.wav" }] });
  });

  test("never replaces a file next to it", async () => {
    await writeFile(join(folder, "b.wav"), "mine");
    const { code, stderr } = await transcript("1001 --format vcon --media beside --out call.json");
    expect(code).toBe(2);
    expect(stderr).toContain("b.wav is there already: name --out in another folder");
    expect(String(await read("b.wav"))).toBe("mine");
    expect(await readdir(folder)).toEqual(["b.wav"]);
  });
});
