// Recordings beside a vCon, and the digests that it gives of them.
import { hash } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { importFiles } from "../src/index.ts";
import type { Recording } from "@call-media/store";
import { createArchive, writeLines } from "./support/archives.ts";
import { CUSTOMER, SOUND, START } from "./support/vcons.ts";

test("a recording beside the vCon is taken, by its file name or that of its URL, and never from elsewhere", async () => {
  const store = createArchive();
  const recording = { type: "recording", start: START, parties: [0] };
  const vcon = (uuid: string, dialog: object) => ({
    uuid,
    parties: [CUSTOMER],
    dialog: [{ ...recording, ...dialog }],
  });
  const path = await writeLines("all.jsonl", [
    vcon("by name", { filename: "a.wav" }),
    vcon("by path", { filename: "deep/b.wav" }),
    vcon("by url", { url: "https://media.test/x/a.wav?y=1" }),
    vcon("elsewhere", { filename: "../outside.wav" }),
    vcon("absolute", { filename: "/etc/passwd" }),
    vcon("empty", { filename: "empty.wav" }),
    vcon("odd", { filename: "100%.wav", url: "no url" }),
    vcon("gone", {}),
  ]);
  const folder = dirname(path);
  await mkdir(join(folder, "media", "deep"), { recursive: true });
  for (const name of ["outside.wav", "media/a.wav", "media/deep/b.wav"])
    await writeFile(join(folder, name), name);
  await writeFile(join(folder, "media/empty.wav"), "");

  const report = await importFiles({
    store,
    paths: [path],
    format: "vcon",
    mediaDirectory: join(folder, "media"),
  });

  expect(report).toMatchObject({
    read: 8,
    imported: 7,
    rejected: 1,
    firstRejections: [{ line: 6, reason: 'media: "empty.wav" is empty' }],
  });
  const names = async (callId: string) => {
    const files = await store.calls.recordings({ callId }, "everything");
    return [
      (await store.calls.byCallId(callId, "everything"))[0]?.recordings,
      files.map(({ media }: Recording) => media.bytes),
    ];
  };
  expect(await names("by name")).toEqual(["a.wav", ["media/a.wav".length]]);
  expect(await names("by path")).toEqual(["b.wav", ["media/deep/b.wav".length]]);
  expect(await names("by url")).toEqual(["a.wav", ["media/a.wav".length]]);
  expect(await names("elsewhere")).toEqual(["outside.wav", []]);
  expect(await names("absolute")).toEqual(["passwd", []]);
  expect(await names("odd")).toEqual(["100%.wav", []]);
  expect(await names("gone")).toEqual([null, []]);
});

const NOISE = Buffer.from("noise");

type Kind = "md5" | "sha1" | "sha256" | "sha384" | "sha512";
const toDigest = (
  kind: Kind,
  content: Buffer,
  form: "base64url" | "base64" | "hex" = "base64url",
) => `${kind}-${hash(kind, content, form)}`;
const signed = (content: Buffer) => ({
  alg: "SHA-512",
  signature: toDigest("sha512", content).slice(7),
});

/** Imports vCons that have the same file beside them, with the sound, and what each says of its content. */
async function importWith(said: Readonly<Record<string, object>>) {
  const store = createArchive();
  const vcons = Object.entries(said).map(([uuid, digests]) => ({
    uuid,
    dialog: [{ type: "recording", start: START, url: "https://media.test/a.wav", ...digests }],
  }));
  const path = await writeLines("said.jsonl", vcons);
  await writeFile(join(dirname(path), "a.wav"), SOUND);
  return { store, report: await importFiles({ store, paths: [path], format: "vcon" }) };
}

test.each<[name: string, of: (content: Buffer) => object, kind: string]>([
  ["of SHA-512", (content) => ({ content_hash: toDigest("sha512", content) }), "sha512"],
  ["padded", (content) => ({ content_hash: `${toDigest("sha512", content)}==` }), "sha512"],
  ["of SHA-256", (content) => ({ content_hash: toDigest("sha256", content) }), "sha256"],
  ["in base64", (content) => ({ content_hash: toDigest("sha512", content, "base64") }), "sha512"],
  ["in digits", (content) => ({ content_hash: toDigest("sha256", content, "hex") }), "sha256"],
  [
    "of SHA-512 beside one of SHA-256",
    (content) => ({ content_hash: [toDigest("sha256", SOUND), toDigest("sha512", content)] }),
    "sha512",
  ],
  ["of an early version", signed, "sha512"],
  ["of SHA-384", (content) => ({ content_hash: toDigest("sha384", content) }), "sha384"],
  ["of SHA-1", (content) => ({ content_hash: toDigest("sha1", content, "hex") }), "sha1"],
  ["of MD5", (content) => ({ content_hash: toDigest("md5", content, "base64") }), "md5"],
])("a digest %s is that of the recording, or the vCon is rejected", async (_, of, kind) => {
  const { store, report } = await importWith({ right: of(SOUND), wrong: of(NOISE) });

  expect(report).toMatchObject({ imported: 1, rejected: 1 });
  expect(await store.calls.recordings({ callId: "right" }, "everything")).toHaveLength(1);
  expect(report.firstRejections[0]?.reason).toContain(`has another content than its ${kind} says`);
});

test.each([
  "sha512-x",
  "sha256-",
  "sha512-%%%",
  `${toDigest("sha256", SOUND)}AAAA`,
  toDigest("sha512", SOUND).slice(0, 50),
])("a digest that cannot be one is told, not passed over: %j", async (content_hash) => {
  const { report } = await importWith({ broken: { content_hash } });

  const bytes = content_hash.startsWith("sha512") ? 64 : 32;
  expect(report).toMatchObject({ imported: 0, rejected: 1 });
  expect(report.firstRejections[0]?.reason).toBe(
    `dialog[0].content_hash: no digest of ${bytes} bytes: "${content_hash}"`,
  );
});

test("digests of other algorithms are not checked, nor is one of a recording that is elsewhere", async () => {
  const elsewhere = { content_hash: "sha512-x", url: "https://media.test/elsewhere.wav" };
  const { report } = await importWith({ other: { content_hash: "sha384-x" }, elsewhere });

  expect(report).toMatchObject({ imported: 2, firstRejections: [] });
});

test("digests of algorithms that are not known are told of, unless there is another", async () => {
  const [unknown, known] = ["blake3-af13", toDigest("sha512", SOUND)];
  const said = {
    first: { content_hash: unknown },
    second: { content_hash: [unknown] },
    early: { alg: "ES512", signature: "af13" },
    both: { content_hash: [unknown, known] },
    none: {},
    elsewhere: { content_hash: unknown, url: "https://media.test/elsewhere.wav" },
  };
  const { report } = await importWith(said);

  const toNotice = (name: string, rows: number) => ({
    text: `not checked, as its algorithm is not known: content_hash (${name})`,
    rows,
  });
  expect(report).toMatchObject({
    imported: 6,
    notices: expect.arrayContaining([toNotice("blake3", 2), toNotice("ES512", 1)]),
  });
  const { report: other } = await importWith({ both: said.both });
  expect(other.notices ?? []).not.toContainEqual(toNotice("blake3", 1));
});
