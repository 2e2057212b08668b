// What an export holds, and that nothing half-written looks like one.
import { existsSync } from "node:fs";
import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { EXPORT_FORMATS } from "../src/export/index.ts";
import { importFiles } from "../src/index.ts";
import { backUp, exportArchive, type FolderExport } from "./support/maintenance.ts";
import { createStore, openStore } from "@call-media/store/sqlite";
import { createArchiveInFolder, createFolder } from "./support/archives.ts";
import { readEverything } from "./support/everything.ts";
import { call, fill, flag, message, toUser } from "./support/records.ts";
import { toWave } from "@call-media/test-setup/sounds";
import { readVcon } from "@call-media/test-setup/vcon-rules";

// A second of silence, told apart by what stands before it.
const toSound = (name: string) => toWave({ seconds: 1, comment: name });

async function createFilled(timeZone = "America/New_York") {
  const { directory, ...store } = await createArchiveInFolder(timeZone);
  const add = async (name: string) => ({
    filename: `${name}.wav`,
    media: await store.media.put({ name, content: toSound(name) }),
  });
  const [one, two] = [await add("one"), { ...(await add("two")), startMs: 1_746_000_000_123 }];
  await fill(store, [
    { kind: "user", record: toUser(1) },
    { kind: "flag", record: flag(1, "Public", "Good") },
    { kind: "flag", record: flag(2, "Private", "Mine"), userId: 1 },
    call(
      { call_id: "A", datetime: "2025-05-01T00:30:00", media: "voice", recordings: "lost.wav" },
      { recordings: [two, one], sessionId: "s" },
    ),
    call(
      { call_id: "B", datetime: "2025-05-02T00:30:00", recordings: "lost.wav", media: "voice" },
      { masterId: "m" },
    ),
    call({ call_id: "B", datetime: "2025-05-02T00:31:00", agent: "ann@example.com" }),
    call({ call_id: "C", datetime: "2025-05-02T00:30:00.5Z" }, { recordings: [one] }),
    call({ call_id: "D" }),
    call({ notes: "nobody's", datetime: "2025-05-03" }),
    { kind: "chat", record: message("A", "Hello.", "2025-06-01T10:00:00Z") },
    { kind: "chat", record: message("A", "Hello.", "2025-06-01T10:00:00Z") },
    { kind: "chat", record: { ...message("B", " ", "2025-05-01T10:00:00Z"), call_id: "B" } },
    { kind: "chat", record: message("nobody's", "Hm.", "2025-05-02T10:00:00Z") },
  ]);
  return { directory, store };
}

const exportTo = async (directory: string, options: Partial<FolderExport> = {}) => {
  const to = join(await createFolder(), "export");
  return {
    to,
    report: await exportArchive({ directory, format: EXPORT_FORMATS.jsonl, to, ...options }),
  };
};

async function importInto(folder: string, timeZone = "America/New_York"): Promise<string> {
  const directory = await createFolder();
  await using store = await createStore({ directory, timeZone });
  const report = await importFiles({ store, paths: [folder] });
  expect(report.firstRejections).toEqual([]);
  return directory;
}

const readLines = async (path: string) =>
  (await readFile(path, "utf8"))
    .split("\n")
    .filter(Boolean)
    .map((line): Record<string, unknown> => JSON.parse(line));

test.each(Object.values(EXPORT_FORMATS))(
  "$name, imported, is the archive it was",
  async (format) => {
    const { directory } = await createFilled();
    const { to, report } = await exportTo(directory, { format });
    expect(report).toEqual({
      timeZone: "America/New_York",
      users: 1,
      flags: 2,
      calls: 6,
      chats: 4,
      mediaFiles: 2,
      mediaBytes: 2 * toSound("one").length,
      missing: [],
      damaged: [],
      isWritten: true,
    });
    expect(await readEverything(await importInto(to))).toEqual(await readEverything(directory));
  },
);

test("each content is there once, under a name made of its digest, and private", async () => {
  const { directory } = await createFilled();
  const { to } = await exportTo(directory);
  const digests = ["two", "one"].map((name) =>
    createHash("sha256").update(toSound(name)).digest("hex"),
  );
  const places = digests.map((digest) => `${digest.slice(0, 2)}/${digest}.wav`);
  const files = await readdir(join(to, "media"), { recursive: true });
  expect(new Set(files.filter((file) => file.includes("/")))).toEqual(new Set(places));
  const entry = (await readLines(join(to, "archive.jsonl"))).find(({ call_id: id }) => id === "A");
  expect(entry?.["media"]).toEqual([
    {
      file: `media/${places[0]}`,
      name: "two.wav",
      start: "2025-04-30T08:00:00.123Z",
      type: "audio/wav",
      sha256: digests[0],
    },
    { file: `media/${places[1]}`, name: "one.wav", type: "audio/wav", sha256: digests[1] },
  ]);
});

test("the manifest says what is in the files, by number and digest", async () => {
  const { directory } = await createFilled();
  const { to } = await exportTo(directory, { fromDay: "2025-05-01" });
  const manifest: unknown = JSON.parse(await readFile(join(to, "export.manifest"), "utf8"));
  const lines = await readFile(join(to, "archive.jsonl"));
  expect(manifest).toMatchObject({
    version: 1,
    format: "jsonl",
    timeZone: "America/New_York",
    fromDay: "2025-05-01",
    toDay: null,
    calls: 5,
    files: {
      "archive.jsonl": {
        lines: 3 + 5 + 4,
        bytes: lines.length,
        sha256: createHash("sha256").update(lines).digest("hex"),
      },
    },
  });
});

test.each<[days: Partial<FolderExport>, calls: string[], chats: string[]]>([
  [{ fromDay: "2025-05-01", toDay: "2025-05-01" }, ["C", "A"], ["A", "A"]],
  [{ fromDay: "2025-05-02" }, ["-", "B", "B"], ["B", "nobody's"]],
  [{ toDay: "2025-04-30" }, [], []],
])(
  "%j: the calls of those days in the archive's time zone, with their chats",
  async (days, calls, chats) => {
    const { directory } = await createFilled();
    const { to } = await exportTo(directory, days);
    const lines = await readLines(join(to, "archive.jsonl"));
    const idsOf = (kind: string) =>
      lines.filter((line) => line["kind"] === kind).map((line) => line["call_id"] ?? "-");
    expect(idsOf("call")).toEqual(calls);
    expect(idsOf("chat")).toEqual(chats);
  },
);

test("a vCon keeps the schema, and says how long a recording is, where it lies and what its content is", async () => {
  const { directory } = await createFilled();
  const { to } = await exportTo(directory, { format: EXPORT_FORMATS.vcon });
  const lines = (await readFile(join(to, "vcons.jsonl"), "utf8")).trimEnd().split("\n");
  const vcons = lines.map(readVcon);
  const digest = createHash("sha256").update(toSound("two"));
  const start = "2025-04-30T08:00:00.123Z";
  const recording = vcons.flatMap(({ dialog }) => dialog).find((part) => part["start"] === start);
  expect(recording).toEqual({
    type: "recording",
    start,
    parties: [0, 1],
    duration: 1,
    mediatype: "audio/wav",
    filename: expect.stringMatching(/^media\/..\/.{64}\.wav$/),
    content_hash: `sha256-${digest.digest("base64url")}`,
    interaction_id: "A",
  });
  expect(new Set(vcons.map(({ uuid }) => uuid)).size).toBe(6);
});

// As exports wrote them: without `vcon`, with relative URLs, and parties without names left out.
test("a vCon of an earlier export is imported as the call it was", async () => {
  const folder = await createFolder();
  const content = toSound("one");
  const digest = createHash("sha256").update(content);
  const start = "2025-05-02T00:30:00.500Z";
  const dialog = { type: "recording", start, duration: 1, parties: [0], mediatype: "audio/wav" };
  const place = { filename: "one.wav", url: "media/ab/abc.wav" };
  await mkdir(join(folder, "media/ab"), { recursive: true });
  await writeFile(join(folder, "media/ab/abc.wav"), content);
  const vcon = {
    uuid: "0c5b6b2e-4a0e-8d0a-9d1e-0a4f6f1f3d11",
    extensions: ["CC"],
    created_at: start,
    parties: [
      { role: "customer", name: "Bo Lind", tel: "030 12" },
      { role: "archive", name: "Call Media archive" },
    ],
    dialog: [
      {
        ...dialog,
        ...place,
        content_hash: `sha256-${digest.digest("base64url")}`,
        interaction_id: "C",
      },
    ],
    analysis: [{ type: "summary", vendor: "unknown", encoding: "none", body: "Called back" }],
    attachments: [
      {
        purpose: "call-media-record",
        start,
        party: 1,
        dialog: 0,
        mediatype: "application/json",
        encoding: "json",
        body: { fields: { ref_id: null, handle_time: 20, talk_time: null } },
      },
    ],
  };
  await writeFile(join(folder, "vcons.jsonl"), `${JSON.stringify(vcon)}\n`);
  await using store = await createStore({ directory: await importInto(folder) });
  expect(await store.calls.byCallId("C", "everything")).toMatchObject([
    {
      datetime: start,
      ref_id: null,
      ani: "030 12",
      customer_last_name: "Lind",
      notes: "Called back",
      handle_time: 20,
      talk_time: null,
      recordings: "one.wav",
    },
  ]);
  expect(await store.calls.recordings({ callId: "C" }, "everything")).toMatchObject([
    { filename: "one.wav", media: { bytes: content.length } },
  ]);
});

test("a stream has the records, with the names of their recordings", async () => {
  const { directory } = await createFilled();
  const lines: string[] = [];
  const to = async (line: string) => void lines.push(line);
  expect(await exportArchive({ directory, format: EXPORT_FORMATS.jsonl, to })).toMatchObject({
    calls: 6,
    mediaFiles: 0,
  });
  const entry = lines.find((line) => line.includes('"call_id":"A"'));
  expect(JSON.parse(entry ?? "")).toMatchObject({
    media: "voice",
    recordings: "two.wav; one.wav; lost.wav",
  });
});

test("calls are exported without recordings that are damaged, which are named", async () => {
  const { directory, store } = await createFilled();
  const [recording] = await store.calls.recordings({ callId: "C" }, "everything");
  const sha256 = recording?.media.sha256 ?? "";
  await writeFile(join(directory, "media", sha256.slice(0, 2), sha256), toSound("eno"));
  const { to, report } = await exportTo(directory);
  expect(report).toMatchObject({ calls: 6, mediaFiles: 1 });
  expect(report.missing).toEqual([
    { filename: "one.wav", callId: expect.any(String), fault: expect.stringContaining(sha256) },
  ]);
  const again = await createStore({ directory: await importInto(to) });
  expect((await again.calls.byCallId("C", "everything"))[0]?.recordings).toBe("one.wav");
  expect(await again.calls.recordings({ callId: "A" }, "everything")).toHaveLength(1);
  expect((await again.calls.byCallId("A", "everything"))[0]?.recordings).toBe(
    "two.wav; one.wav; lost.wav",
  );
  await again[Symbol.asyncDispose]();
});

test.each(["jsonl", "vcon"] as const)(
  "records that are not what was imported are named and not in the export: %s",
  async (name) => {
    const { directory } = await createFilled();
    using database = new DatabaseSync(join(directory, "archive.db"));
    database.exec(`UPDATE call SET record = replace(record, '2025', '2024') WHERE call_id = 'A'`);
    const format = EXPORT_FORMATS[name];
    const refused = await exportTo(directory, { format });
    const facts = { calls: 5, chats: 4, damaged: ["call_id A"] };
    expect(refused.report).toMatchObject({ ...facts, isWritten: false });
    expect(existsSync(refused.to)).toBe(false);
    const { to, report } = await exportTo(directory, { format, skipsDamaged: true });
    expect(report).toMatchObject({ ...facts, isWritten: true });
    expect(JSON.parse(await readFile(join(to, "export.manifest"), "utf8"))).toMatchObject(facts);
    await using again = await openStore({ directory: await importInto(to) });
    expect(await again.calls.byCallId("A", "everything")).toEqual([]);
    expect(await again.calls.chat("A", "everything")).toHaveLength(2);
    const lines: string[] = [];
    const streamed = await exportArchive({
      directory,
      format,
      to: async (line) => void lines.push(line),
    });
    expect(streamed.damaged).toEqual(["call_id A"]);
    expect(lines.join("\n")).not.toContain("2024");
  },
);

test("an export that cannot be finished leaves nothing behind", async () => {
  const { directory } = await createFilled();
  const parent = await createFolder();
  const onProgress = ({ step }: { step: string }) => {
    if (step === "records") throw new Error("the power goes");
  };
  const options = {
    directory,
    format: EXPORT_FORMATS.jsonl,
    to: join(parent, "export"),
    onProgress,
  } as const;
  await expect(exportArchive(options)).rejects.toThrow("the power goes");
  expect(await readdir(parent)).toEqual([]);
});

test("a backup can be exported, and stays as it is sealed", async () => {
  const { directory } = await createFilled();
  const backup = await createFolder();
  await backUp({ from: directory, to: backup });
  const names = await readdir(backup);
  const { to } = await exportTo(backup);
  expect(await readdir(backup)).toEqual(names);
  expect(await readEverything(await importInto(to))).toEqual(await readEverything(directory));
});

test.each<[options: Partial<FolderExport>, fault: string]>([
  [{ fromDay: "2025-02-29" }, 'from: "2025-02-29" is not a calendar day'],
  [{ toDay: "x" }, 'to: "x" is not a calendar day'],
  [{ fromDay: "2025-05-02", toDay: "2025-05-01" }, "from: 2025-05-02 is after 2025-05-01"],
  [{ directory: "/nowhere" }, "there is no archive in /nowhere"],
])("%j is refused", async (options, fault) => {
  const { directory } = await createFilled();
  await expect(exportTo(directory, options)).rejects.toThrow(fault);
});

test("a folder that holds something is left as it is", async () => {
  const { directory } = await createFilled();
  const to = await createFolder();
  await writeFile(join(to, "mine"), "");
  await expect(exportArchive({ directory, format: EXPORT_FORMATS.jsonl, to })).rejects.toThrow(
    "is not empty",
  );
  expect(await readdir(to)).toEqual(["mine"]);
  await rm(join(to, "mine"));
  await exportArchive({ directory, format: EXPORT_FORMATS.jsonl, to });
});
