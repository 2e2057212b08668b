// The recordings of a vCon: inside it, or a file beside it. What a URL points to is never fetched.
import type { MediaFolder } from "../../media-folder.ts";
import { readText } from "../json-value.ts";
import { readBinaryBody } from "./body.ts";
import type { Part, Vcon } from "./vcon.ts";

export interface VconRecordings {
  /** As `media` of an entry; `content` holds the bytes that came with the vCon. */
  readonly media: readonly {
    readonly file: string;
    readonly content?: Uint8Array;
    readonly start?: string;
  }[];
  /** Names of recordings that are neither inside nor beside it. */
  readonly missing: readonly string[];
}

const EXTENSIONS: Readonly<Record<string, string>> = {
  "audio/wav": ".wav",
  "audio/x-wav": ".wav",
  "audio/wave": ".wav",
  "audio/mpeg": ".mp3",
  "audio/mp3": ".mp3",
  "audio/x-mp3": ".mp3",
  "audio/mp4": ".m4a",
  "audio/x-mp4": ".m4a",
  "audio/ogg": ".ogg",
  "audio/webm": ".webm",
  "video/mp4": ".mp4",
  "video/x-mp4": ".mp4",
  "video/ogg": ".ogv",
  "video/webm": ".webm",
};

export function isRecording(dialog: Part): boolean {
  const isSound = /^(?:audio|video)\//.test(toMediaType(dialog));
  return dialog["type"] === "recording" || (dialog["type"] === undefined && isSound);
}

export function toMediaType(dialog: Part): string {
  return (
    (readText(dialog, "mediatype", "mimetype") ?? "").split(";")[0]?.trim().toLowerCase() ?? ""
  );
}

/** Throws `RowFault` for a body that cannot be decoded. */
export async function findRecordings(
  { uuid, dialog }: Vcon,
  folder: MediaFolder,
): Promise<VconRecordings> {
  const media: VconRecordings["media"][number][] = [];
  const missing: string[] = [];
  for (const [index, part] of dialog.entries()) {
    if (!isRecording(part)) continue;
    const start = readText(part, "start");
    const when = start === undefined ? {} : { start };
    const content = readBinaryBody(part, `dialog[${index}]`);
    const names = toNames(part);
    if (content !== undefined) {
      media.push({
        file: names[0] ?? `${uuid}-${index + 1}${EXTENSIONS[toMediaType(part)] ?? ""}`,
        content,
        ...when,
      });
      continue;
    }
    const file = await findFile([readText(part, "filename") ?? "", ...names], folder);
    if (file !== undefined) media.push({ file, ...when });
    else missing.push(...names.slice(0, 1));
  }
  return { media, missing };
}

async function findFile(
  names: readonly string[],
  folder: MediaFolder,
): Promise<string | undefined> {
  for (const name of names) if (name !== "" && (await folder.has(name))) return name;
  return undefined;
}

/** What the file may be called: bare names, the one the vCon gives first. */
function toNames(part: Part): string[] {
  const url = URL.parse(readText(part, "url") ?? "");
  return [readText(part, "filename"), url?.pathname]
    .map((path) => toBareName(path ?? ""))
    .filter((name) => name !== "");
}

function toBareName(path: string): string {
  const name = path.split(/[/\\]/).at(-1) ?? "";
  return decode(name === "." || name === ".." ? "" : name);
}

function decode(name: string): string {
  try {
    const decoded = decodeURIComponent(name);
    return /[/\\\0]/.test(decoded) ? name : decoded;
  } catch {
    return name; // a per cent sign that begins no escape stands for itself
  }
}
