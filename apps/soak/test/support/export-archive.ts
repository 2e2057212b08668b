// An archive for exports: calls over some days, every tenth with a recording, some large, some several, some with a chat.
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createApplication } from "@call-media/server";
import { importFiles } from "@call-media/import";
import { createStore } from "@call-media/store/sqlite";
import { toRecording } from "./source.ts";

export interface ExportArchive {
  readonly directory: string;
  readonly calls: number;
  readonly recordings: number;
  readonly credentials: { readonly secretID: string; readonly secretKey: string };
}

export const FROM = "2026-03-01";
const DAY_MS = 86_400_000;

export interface Size {
  readonly calls: number;
  readonly days: number;
}

/** The last day of the calls. */
export const toLastDay = ({ days }: Size) =>
  new Date(Date.parse(FROM) + (days - 1) * DAY_MS).toISOString().slice(0, 10);

/** Made in `folder`, which is empty. */
export async function makeExportArchive(folder: string, size: Size): Promise<ExportArchive> {
  await mkdir(join(folder, "media"));
  const calls = Array.from({ length: size.calls }, (_, index) => toCall(index, size));
  for (const { media } of calls)
    for (const { file, bytes } of media)
      await writeFile(join(folder, file), toRecording(file, bytes));
  const lines = [USER, ...calls.map(({ line }) => line), ...calls.flatMap(({ chat }) => chat)];
  const source = join(folder, "calls.jsonl");
  await writeFile(source, lines.map((line) => JSON.stringify(line)).join("\n"));
  const directory = join(folder, "archive");
  await using store = await createStore({ directory });
  const report = await importFiles({ store, paths: [source], format: "jsonl" });
  if (report.rejected > 0) throw new Error(JSON.stringify(report.firstRejections));
  const recordings = calls.reduce((total, { media }) => total + media.length, 0);
  const { secretID, secretKey } = await createApplication(store, 1);
  return { directory, calls: size.calls, recordings, credentials: { secretID, secretKey } };
}

const LARGE_BYTES = 1_500_000;

function toCall(index: number, { calls, days }: Size) {
  const startMs = Date.parse(FROM) + Math.floor((days * DAY_MS * index) / calls);
  const parts = index % 10 === 0 ? (index % 200 === 0 ? 2 : 1) : 0;
  const media = Array.from({ length: parts }, (_, part) => ({
    file: `media/${index}-${part}.wav`,
    bytes: index % 500 === 0 ? LARGE_BYTES : 5_000 + ((index * 7919) % 60_000),
  }));
  const call_id = `call-${index}`;
  const line = {
    kind: "call",
    call_id,
    ref_id: `ref-${index}`,
    datetime: new Date(startMs).toISOString(),
    agent: `agent ${index % 7}`,
    ani: `+49 30 ${String(1_000_000 + index)}`,
    talk_time: index % 600,
    // Ten names for all: collisions have to come out the same every time.
    disposition: `Sale ${index % 10}`,
    transcript: index % 40 === 0 ? `Agent: hello ${index}` : null,
    media: media.map(({ file }) => ({ file })),
  };
  const message = { kind: "chat", call_id, party_type: "Customer", room_id: `room ${index}` };
  const datetime = new Date(startMs + 1000).toISOString();
  const chat = index % 100 === 7 ? [{ ...message, datetime, transcript: `message ${index}` }] : [];
  return { line, media, chat };
}

// Without rights over campaigns and the like no call is seen (D21).
const ALL = ["campaigns", "skills", "agents", "groups", "media", "download_doc_type"];
const SECURE = ["secure01", "secure02", "secure03", "secure04", "secure05"];

const USER = {
  kind: "user",
  id: 1,
  username: "exporter",
  status: 1,
  created_date: "2026-01-01T00:00:00Z",
  allow_download: true,
  ...Object.fromEntries([...ALL, ...SECURE].map((name) => [`allow_all_${name}`, true])),
};
