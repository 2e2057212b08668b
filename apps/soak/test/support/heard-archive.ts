// An archive of a few calls with large recordings, and a caller who may hear all of them.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createApiKey } from "@call-media/server";
import { importFiles } from "@call-media/import";
import { createStore } from "@call-media/store/sqlite";
import { makeFolder } from "./archive.ts";
import { toRecording } from "./source.ts";

export interface HeardArchive {
  readonly directory: string;
  readonly apiKey: string;
  readonly bytes: number;
  /** The path of a recording's stream; counts from 0. */
  readonly pathOf: (recording: number) => string;
}

// Without rights over campaigns and the like no call is seen (D21).
const ALL = ["campaigns", "skills", "agents", "groups", "media", "download_doc_type"];
const SECURE = ["secure01", "secure02", "secure03", "secure04", "secure05"];

export async function makeHeardArchive(recordings: number, bytes: number): Promise<HeardArchive> {
  const folder = await makeFolder();
  const lines = [toUser(), ...Array.from({ length: recordings }, (_, at) => toCall(at))];
  await writeFile(
    join(folder, "calls.jsonl"),
    lines.map((line) => JSON.stringify(line)).join("\n"),
  );
  for (let at = 0; at < recordings; at += 1)
    await writeFile(join(folder, toFile(at)), toRecording(`recording ${at}`, bytes));
  const directory = join(folder, "archive");
  await using store = await createStore({ directory });
  const report = await importFiles({
    store,
    paths: [join(folder, "calls.jsonl")],
    format: "jsonl",
  });
  if (report.rejected > 0) throw new Error(JSON.stringify(report.firstRejections));
  const { apiKey } = await createApiKey(store, 1);
  return {
    directory,
    apiKey,
    bytes,
    pathOf: (recording) => `/recording/stream-by-call-id/heard-${recording}`,
  };
}

const toFile = (at: number) => `${at}.wav`;

function toCall(at: number): object {
  const datetime = new Date(Date.UTC(2026, 0, 1, 0, at)).toISOString();
  return { kind: "call", call_id: `heard-${at}`, datetime, media: [{ file: toFile(at) }] };
}

function toUser(): object {
  const rights = [...ALL, ...SECURE].map((name) => [`allow_all_${name}`, true]);
  return {
    kind: "user",
    id: 1,
    username: "listener",
    status: 1,
    created_date: "2026-01-01T00:00:00Z",
    allow_download: true,
    ...Object.fromEntries(rights),
  };
}
