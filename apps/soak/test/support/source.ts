// A file to import that has something of everything: calls with and without recordings, sessions that many calls share, rows
// that are doubled, rows that are wrong. The same name makes the same rows.
import { createHash } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";

export interface Source {
  readonly path: string;
  /** What an import into an empty archive makes of it. */
  readonly expected: {
    readonly read: number;
    readonly imported: number;
    readonly unchanged: number;
    readonly rejected: number;
  };
}

// A batch of an import ends after 1 MiB: with notes as long as these, after 340 rows.
const NOTES_CHARACTERS = 3_000;
const RECORDING_BYTES = 200_000;

type Kind = "call" | "heard call" | "chat" | "doubled" | "wrong";

/** Writes `<name>.jsonl` with so many rows, and its recordings, into the folder. */
export async function writeSource(folder: string, name: string, rows: number): Promise<Source> {
  await mkdir(folder, { recursive: true });
  const kinds = Array.from({ length: rows }, (_, index) => toKind(index));
  const lines = kinds.map((kind, index) => toLine(kind, name, index));
  const path = join(folder, `${name}.jsonl`);
  await writeFile(path, `${lines.join("\n")}\n`);
  for (const [index, kind] of kinds.entries())
    if (kind === "heard call")
      await writeFile(join(folder, toFile(name, index)), toRecording(`${name} ${index}`));
  const count = (wanted: Kind) => kinds.filter((kind) => kind === wanted).length;
  const [unchanged, rejected] = [count("doubled"), count("wrong")];
  return {
    path,
    expected: { read: rows, imported: rows - unchanged - rejected, unchanged, rejected },
  };
}

function toKind(index: number): Kind {
  if (index % 101 === 100) return "wrong";
  if (index % 53 === 52) return "doubled";
  if (index % 211 === 7) return "heard call";
  return index % 17 === 3 ? "chat" : "call";
}

function toLine(kind: Kind, name: string, index: number): string {
  if (kind === "wrong") return toCall(name, index, { talk_time: "long" });
  if (kind === "doubled") return toCall(name, toEarlierCall(index), {});
  if (kind === "heard call") return toCall(name, index, { media: [{ file: toFile(name, index) }] });
  if (kind === "call") return toCall(name, index, {});
  return JSON.stringify({
    kind: "chat",
    call_id: `${name}-${index - 1}`,
    datetime: toTime(index),
    party_type: "Customer",
    room_id: `${name}-${index}`,
    transcript: `message ${index}`,
  });
}

function toEarlierCall(index: number): number {
  return toKind(index - 1) === "call" ? index - 1 : toEarlierCall(index - 1);
}

function toCall(name: string, index: number, fields: object): string {
  return JSON.stringify({
    kind: "call",
    call_id: `${name}-${index}`,
    ref_id: `ref-${name}-${index}`,
    session_id: `session-${toSession(index)}`,
    datetime: toTime(index),
    agent: `agent ${index % 7}`,
    campaign: `campaign ${index % 5}`,
    talk_time: index % 600,
    notes: `note ${index} `.padEnd(NOTES_CHARACTERS, "x"),
    ...fields,
  });
}

/** One that a third of all calls have, and some dozens that fewer have. */
const toSession = (index: number) => (index % 3 === 0 ? "of many" : index % 40);

function toTime(index: number): string {
  return new Date(Date.UTC(2026, 0, 1, 0, index)).toISOString();
}

function toFile(name: string, index: number): string {
  return `${name}-${index}.wav`;
}

/** Bytes that are the same for the same text, and for no other. */
export function toRecording(text: string, bytes = RECORDING_BYTES): Buffer {
  const content = Buffer.alloc(bytes, createHash("sha512").update(text).digest());
  content.write("RIFF\0\0\0\0WAVEfmt ", "latin1");
  return content;
}
