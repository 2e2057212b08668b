// The files of an export without a service: as many states of a folder as a test likes.
import { hash } from "node:crypto";
import { mkdir, mkdtemp, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { CallRecord } from "@call-media/client";
import { onTestFinished } from "vitest";

export type MadeCall = Partial<CallRecord> & { readonly call_id: string };

export interface MadeChat {
  readonly call_id: string;
  readonly messages: readonly string[];
}

export interface MadeExport {
  readonly calls: readonly MadeCall[];
  readonly chats?: readonly MadeChat[];
  readonly masked?: readonly string[];
  /** Earlier versions of records. */
  readonly superseded?: readonly MadeCall[];
}

/** A folder that goes with the test. */
export async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "call-media-index-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

let writes = 0;

/** Replaces what the folder has. */
export async function writeExport(
  folder: string,
  { calls, chats = [], masked = [], superseded = [] }: MadeExport,
): Promise<void> {
  const day = join(folder, "transcripts", "2026-03-01");
  await rm(join(folder, "transcripts"), { recursive: true, force: true });
  await mkdir(day, { recursive: true });
  const lines: object[] = [];
  for (const [index, { call_id, messages }] of chats.entries()) {
    const said = messages.map((transcript) => ({ transcript }));
    const text = JSON.stringify({ call_id, datetime: null, spoken: [], messages: said });
    await writeFile(join(day, `${index}.json`), text);
    const file = `transcripts/2026-03-01/${index}.json`;
    lines.push({ kind: "transcript", call_id, ...toWritten(file, text), redacted: masked });
  }
  const metadata = toLines(calls);
  const written = toWritten("metadata.jsonl", metadata);
  lines.push({ kind: "metadata", call_id: null, ...written, redacted: masked });
  await writeFile(join(folder, "metadata.jsonl"), metadata);
  await writeFile(join(folder, "superseded.jsonl"), toLines(superseded));
  await writeFile(join(folder, "manifest.jsonl"), toLines(lines));
  // Two exports of one folder are further apart than the clock of a disk is coarse.
  await utimes(join(folder, "manifest.jsonl"), 0, ++writes);
}

const toLines = (values: readonly object[]) =>
  values.map((value) => `${JSON.stringify(value)}\n`).join("");

const toWritten = (file: string, text: string) => ({
  status: "complete",
  file,
  bytes: Buffer.byteLength(text),
  sha256: hash("sha256", text),
});
