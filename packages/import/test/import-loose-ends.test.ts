// What lies beside the rows of an import: headers that come again, recordings that no row names, files that end in a row, and
// signatures in links.
import { mkdir, readFile, stat, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { importFiles } from "../src/index.ts";
import { createArchive, createFolder, writeLines } from "./support/archives.ts";
import { importCsv } from "./support/csv.ts";
import { toWave } from "@call-media/test-setup/sounds";

const CDR =
  "calldate,clid,src,dst,dcontext,channel,dstchannel,lastapp,lastdata,duration,billsec,disposition,amaflags,accountcode,uniqueid,userfield,did,recordingfile";
const toCall = (second: number, recording = "") =>
  `2026-08-21 10:00:0${second},"Bob <555>",5551230001,577,from-internal,PJSIP/t-1,PJSIP/577-2,Dial,x,9,9,ANSWERED,3,,1787306400.${second},,,${recording}`;

const MAPPING = {
  fields: { call_id: "{id}", agent: "{agent}", notes: "{notes}" },
};

test("a header that comes again is no row, in a format and by a mapping", async () => {
  const store = createArchive();
  const joined = [CDR, toCall(1), CDR, toCall(2), CDR];
  const report = await importFiles({ store, paths: [await writeLines("cdr.csv", joined)] });
  expect(report).toMatchObject({ read: 2, imported: 2, rejected: 0 });
  expect(report.doubts).toMatchObject([
    {
      name: "headers",
      effect: "warn",
      count: 2,
      unit: "line",
      first: [/:3: /, /:5: /].map((line) => expect.stringMatching(line)),
    },
  ]);
  const lines = ["id,agent,notes", "1,ann,a", " id , agent,notes", "2,ben,id"];
  expect(await importCsv(createArchive(), MAPPING, lines)).toMatchObject({ read: 2, imported: 2 });
});

test("a header that comes again in another order says where the columns lie from there", async () => {
  const store = createArchive();
  const lines = ["id,agent,notes", "1,ann,a", "notes,id,agent", "b,2,ben"];
  expect(await importCsv(store, MAPPING, lines)).toMatchObject({ read: 2, imported: 2 });
  expect(await store.calls.byCallId("2", "everything")).toMatchObject([
    { agent: "ben", notes: "b" },
  ]);
});

test("a list of them that cannot be written is said, and leaves the import as it is", async () => {
  const mediaDirectory = await createFolder();
  await writeFile(join(mediaDirectory, "lost.wav"), toWave({ seconds: 1 }));
  const paths = [await writeLines("cdr.csv", [CDR, toCall(1)])];
  const orphanFile = join(mediaDirectory, "none", "orphans.txt");
  const report = await importFiles({ store: createArchive(), paths, mediaDirectory, orphanFile });
  expect(report).toMatchObject({ imported: 1, doubts: [{ name: "orphans", count: 1 }] });
  expect(report.doubts?.[0]?.advice).not.toContain(orphanFile);
  expect(report.notices).toMatchObject([
    { text: expect.stringMatching(/are not listed: .*orphans\.txt does not exist$/) },
  ]);
});

test("recordings that were written before the first call are those of earlier imports", async () => {
  const mediaDirectory = await createFolder();
  for (const [file, day] of [
    ["old.wav", "2026-08-18"],
    ["new.wav", "2026-08-21"],
  ] as const) {
    await writeFile(join(mediaDirectory, file), toWave({ seconds: 1 }));
    await utimes(join(mediaDirectory, file), new Date(day), new Date(day));
  }
  const bring = async (...lines: readonly object[]) => {
    const paths = [await writeLines("calls.jsonl", lines)];
    return await importFiles({ store: createArchive(), paths, mediaDirectory });
  };
  const call = { kind: "call", call_id: "1" };
  const first = (await bring({ ...call, datetime: "2026-08-21T09:00:00Z" })).doubts;
  expect(first).toMatchObject([{ name: "orphans", first: ["new.wav"] }]);
  expect((await bring(call)).doubts).toMatchObject([{ first: ["new.wav", "old.wav"] }]);
});

test("recordings that no row names are named, and listed in a file of the owner", async () => {
  const mediaDirectory = await createFolder();
  await mkdir(join(mediaDirectory, "2026"));
  for (const file of ["ok.wav", "lost.wav", "2026/lost.mp3", "notes.txt", "ok.json"])
    await writeFile(join(mediaDirectory, file), toWave({ seconds: 1 }));
  const orphanFile = join(await createFolder(), "orphans.txt");
  const bring = async (...lines: string[]) => {
    const paths = [await writeLines("cdr.csv", [CDR, ...lines])];
    return await importFiles({ store: createArchive(), paths, mediaDirectory, orphanFile });
  };
  const { doubts } = await bring(toCall(1), toCall(2, "ok.wav"));
  expect(doubts).toMatchObject([
    {
      name: "orphans",
      effect: "warn",
      count: 2,
      first: ["2026/lost.mp3", "lost.wav"],
      advice: expect.stringContaining(orphanFile),
    },
  ]);
  expect(await readFile(orphanFile, "utf8")).toBe("2026/lost.mp3\nlost.wav\n");
  expect((await stat(orphanFile)).mode & 0o777).toBe(0o600);
  const media = ["ok.wav", "./lost.wav", "2026/lost.mp3"].map((file) => ({ file }));
  const paths = [await writeLines("calls.jsonl", [{ kind: "call", call_id: "1", media }])];
  expect(await importFiles({ store: createArchive(), paths, mediaDirectory })).not.toHaveProperty(
    "doubts",
  );
});

test("recordings of other exports in a folder are no orphans, until those are imported too", async () => {
  const folder = await createFolder();
  const call = (id: string) =>
    JSON.stringify({ kind: "call", call_id: id, media: [{ file: `${id}.wav` }] });
  for (const id of ["1", "2", "3"])
    await writeFile(join(folder, `${id}.wav`), toWave({ seconds: 1 }));
  const paths = ["log-2026-08-21.jsonl", "log-2026-08-22.jsonl"].map((name) => join(folder, name));
  for (const [index, path] of paths.entries())
    await writeFile(path, `${call(String(index + 1))}\n`);
  const bring = async (some: readonly string[], options = {}) =>
    (await importFiles({ store: createArchive(), paths: some, ...options })).doubts;
  expect(await bring(paths.slice(0, 1))).toBeUndefined();
  expect(await bring(paths.slice(0, 1), { mediaDirectory: folder })).toBeUndefined();
  for (const all of [paths, [folder]])
    expect(await bring(all)).toMatchObject([{ name: "orphans", first: [join(folder, "3.wav")] }]);
});

test("without a folder of recordings, those beside recordings that are named", async () => {
  const folder = await createFolder();
  await mkdir(join(folder, "audio"));
  await mkdir(join(folder, "music"));
  for (const file of ["audio/a.wav", "audio/b.wav", "music/c.wav"])
    await writeFile(join(folder, file), toWave({ seconds: 1 }));
  const path = join(folder, "calls.jsonl");
  await writeFile(
    path,
    `${JSON.stringify({ kind: "call", call_id: "1", media: [{ file: "audio/a.wav" }] })}\n`,
  );
  const { doubts } = await importFiles({ store: createArchive(), paths: [path] });
  expect(doubts).toMatchObject([{ name: "orphans", first: [join(folder, "audio/b.wav")] }]);
});

test.each<[what: string, text: string, doubts: number]>([
  ["a last line without an end", "id,agent,notes\n1,ann,abcdef\n2,ben,abcdef\n3,joe,ab", 1],
  [
    "one that is as long as the others",
    "id,agent,notes\n1,ann,abcdef\n2,ben,abcdef\n3,joe,abcdef",
    0,
  ],
  ["a short line with its end", "id,agent,notes\n1,ann,abcdef\n2,ben,abcdef\n3,joe,ab\n", 0],
])("cut: %s", async (_, text, count) => {
  const path = join(await createFolder(), "log.csv");
  await writeFile(path, text);
  const mappingFile = await writeLines("map.json", [MAPPING]);
  const { doubts = [] } = await importFiles({ store: createArchive(), paths: [path], mappingFile });
  const cut = { name: "cut", effect: "warn", first: [expect.stringMatching(/:4: .*3,joe,ab/)] };
  expect(doubts).toEqual(Array.from({ length: count }, () => expect.objectContaining(cut)));
});

const SIGNED =
  "https://x.test/calls/td-1/recordings/abcdef12?X-Amz-Signature=5ec4e7&AWSAccessKeyId=AK";

test("of a link to a recording nothing but the name is kept, and its file is found", async () => {
  const mapping = {
    fields: { call_id: "{id}" },
    media: ["{link}"],
  };
  const bring = async (mediaDirectory?: string) => {
    const store = createArchive();
    const options = { mediaDirectory, missingMedia: "name" } as const;
    await importCsv(store, mapping, ["id,link", `1,${SIGNED}`], options);
    const [record] = await store.calls.byCallId("1", "everything");
    const found = await store.calls.recordings({ callId: "1" }, "everything");
    return [record?.recordings, found.length];
  };
  expect(await bring()).toEqual(["abcdef12", 0]);
  const folder = await createFolder();
  await writeFile(join(folder, "abcdef12.wav"), toWave({ seconds: 1 }));
  expect(await bring(folder)).toEqual(["abcdef12.wav", 1]);
});

test.each([
  [SIGNED, "abcdef12"],
  ["https://x.test/a/b.mp3?sig=/../etc/passwd", "b.mp3"],
  ["s3://bucket/2026/b.wav#t=1", "b.wav"],
  ["https://x.test/Play?rec=101/a.wav&token=5ec4e7", "a.wav"],
  ["https://x.test/%2e%2e%2fa%20b.wav?t=1", "a b.wav"],
])("%s is named %s", async (link, name) => {
  const store = createArchive();
  const mapping = { fields: { call_id: "{id}", recordings: "{link}" } };
  await importCsv(store, mapping, ["id,link", `1,${link}`]);
  expect(await store.calls.byCallId("1", "everything")).toMatchObject([{ recordings: name }]);
});

test("a link that names no file rejects its row, without its signature in the reason", async () => {
  const mapping = { fields: { call_id: "{id}" }, media: ["{link}"] };
  const lines = ["id,link", "1,https://x.test/?"];
  expect(await importCsv(createArchive(), mapping, lines)).toMatchObject({
    rejected: 1,
    firstRejections: [{ reason: "media[0].file: the link names no file" }],
  });
});
