// Describes a recording that is not audio: a page, a text, a program, another kind of file, or only a header.
import { open } from "node:fs/promises";
import { extname } from "node:path";
import { createInspector, type SoundFacts } from "@call-media/sound";
import { describeOther } from "@call-media/sound/other";
import type { Media } from "../port/media.ts";
import { READ_AT_ONCE } from "./files.ts";

/** The media type of bytes that no format is recognized in, and for which none was declared. */
export const UNKNOWN_TYPE = "application/octet-stream";

/** Enough bytes to recognize every format. */
export const HEAD_BYTES = 4_100;

export interface Heard {
  /** Its first bytes, from `readHead` or `createHead`. */
  readonly head: Uint8Array;
  readonly bytes: number;
  readonly filename: string;
  /** The known media type; default: none. */
  readonly type?: string | undefined;
}

/** The head of a file. Throws the system's error. */
export async function readHead(path: string): Promise<Uint8Array> {
  await using file = await open(path, READ_AT_ONCE);
  const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES));
  return buffer.subarray(0, bytesRead);
}

/** True if the head is worth reading without the rest: short recordings, and those of a known type other than audio or video. */
export function isDoubtful({ bytes, type }: Pick<Media, "bytes" | "type">): boolean {
  return bytes <= HEAD_BYTES || !(AUDIO.test(type) || type === UNKNOWN_TYPE);
}

/** Collects the head of a recording that is read in chunks. */
export function createHead() {
  let head = Buffer.alloc(0);
  return {
    add: (piece: Uint8Array) => {
      if (head.length < HEAD_BYTES)
        head = Buffer.concat([head, piece.subarray(0, HEAD_BYTES - head.length)]);
    },
    toBytes: (): Uint8Array => head,
  };
}

// A file whose name admits its kind misleads nobody: chat logs and screenshots are stored with calls too.
const HONEST = new Set(
  ".txt .log .csv .md .vtt .srt .htm .html .xml .json .jsonl .eml .doc .docx .pdf .png .jpg .jpeg .gif .webp .zip .gz .pcap".split(
    " ",
  ),
);

// Headerless formats: their first bytes may coincide with any signature.
const RAW = new Set(
  ".ulaw .ul .mulaw .mu .pcmu .alaw .al .pcma .gsm .g722 .g723 .g726 .g729 .ilbc .sln .sln16 .slin .pcm .raw .sw .vox".split(
    " ",
  ),
);

const AUDIO = /^(?:audio|video)\/|^application\/(?:ogg|mxf|vnd\.rn-realmedia|vnd\.ms-asf)\b/;

const PROGRAM = /^application\/(?:x-msdownload|x-elf|x-mach-binary|wasm|java-vm)\b/;

/** Describes the content, such as "an HTML page"; undefined for audio and video, and for bytes that may be headerless audio. */
export async function describeNonAudio(heard: Heard): Promise<string | undefined> {
  return isHeaderAlone(heard) ? "a header alone" : await describeNotSound(heard);
}

/** The same, for bytes that are more than a header. */
async function describeNotSound(heard: Heard): Promise<string | undefined> {
  const { head, bytes, filename, type = "" } = heard;
  const extension = extname(filename).toLowerCase();
  if (bytes === 0 || HONEST.has(extension)) return undefined;
  const text = toText(head, bytes);
  const isRaw = RAW.has(extension) || AUDIO.test(type);
  if (text !== undefined && !(isRaw && !SPOKEN.test(text))) return describeOther(text) ?? "text";
  if (isRaw) return undefined;
  const other = describeOther(head);
  if (other !== undefined) return other;
  // Loaded with the first file: most commands and services inspect none.
  const { fileTypeFromBuffer } = await import("file-type");
  const found = (await fileTypeFromBuffer(head))?.mime ?? "audio/";
  if (AUDIO.test(found)) return undefined;
  return PROGRAM.test(found) ? "a program" : `a file of the type ${found}`;
}

/** If the bytes are not audio, replaces the facts with a finding that describes the bytes. */
export async function toSound(facts: SoundFacts, heard: Heard): Promise<SoundFacts> {
  const { version, container } = facts;
  if (container !== "unknown" && container !== "raw") return facts;
  const detail = await describeNotSound(heard);
  if (detail === undefined) return facts;
  return { version, container: "unknown", findings: [{ kind: "not-sound", detail }] };
}

/** True for a complete file without a sample. */
function isHeaderAlone({ head, bytes, filename, type }: Heard): boolean {
  if (bytes === 0 || bytes > head.length) return false;
  const inspector = createInspector({ filename, contentType: type });
  inspector.push(head);
  const { findings, durationMs } = inspector.end();
  return findings.some(
    ({ kind }) => kind === "no-samples" || (kind === "malformed" && durationMs === undefined),
  );
}

// Raw samples may contain single letters by chance, but not words.
const SPOKEN = /^\s*[<{[]|\p{L}{2,}[ \n].*\p{L}{2,}/u;

/** Undefined for bytes that are not text. */
function toText(head: Uint8Array, bytes: number): string | undefined {
  const mark = Buffer.from(head.subarray(0, 2)).toString("hex");
  const encoding = mark === "fffe" ? "utf-16le" : mark === "feff" ? "utf-16be" : "utf-8";
  try {
    // The head may end in the middle of a character.
    const isCut = bytes > head.length;
    const text = new TextDecoder(encoding, { fatal: true }).decode(head, { stream: isCut });
    // These byte order marks may be samples too, and most byte pairs decode to a character.
    if (encoding !== "utf-8" && !/^[\t\r\n -~]{3}/.test(text)) return undefined;
    return /[^\P{Cc}\t\n\r\f]/u.test(text) ? undefined : text;
  } catch {
    return undefined;
  }
}
