// The recordings of a vCon, in the vCon itself or as a file in the media folder. URLs are never fetched.
import { type Digests, toExtension } from "@call-media/store/values";
import type { Faults } from "../../faults.ts";
import type { MediaFolder } from "../../media-folder.ts";
import { readText } from "../json-value.ts";
import { readBinaryBody } from "./body.ts";
import { readDigests } from "./digests.ts";
import type { Part, Vcon } from "./vcon.ts";

type Details = Digests & { readonly start?: string; readonly type?: string };

export interface VconRecordings {
  /** As `media` of an entry; `content` holds the bytes that came with the vCon. */
  readonly media: readonly ({
    readonly file: string;
    readonly name?: string;
    readonly content?: Uint8Array;
  } & Details)[];
  /** Names of recordings without content. */
  readonly missing: readonly string[];
}

export function isRecording(dialog: Part): boolean {
  const isSound = /^(?:audio|video)\//.test(toMediaType(dialog));
  return dialog["type"] === "recording" || (dialog["type"] === undefined && isSound);
}

export function toMediaType(dialog: Part): string {
  return (
    (readText(dialog, "mediatype", "mimetype") ?? "").split(";")[0]?.trim().toLowerCase() ?? ""
  );
}

/** A body or a digest that cannot be decoded is added to `faults`. */
export async function findRecordings(
  { uuid, dialog }: Vcon,
  folder: MediaFolder,
  faults: Faults,
): Promise<VconRecordings> {
  const media: VconRecordings["media"][number][] = [];
  const missing: string[] = [];
  for (const [index, part] of dialog.entries()) {
    if (!isRecording(part)) continue;
    const where = `dialog[${index}]`;
    const content = faults.attempt(() => readBinaryBody(part, where));
    const toKnown = () => faults.attempt(() => toDetails(part, where)) ?? {};
    const names = toNames(part);
    if (content !== undefined) {
      media.push({
        file: names[0] ?? `${uuid}-${index + 1}${toExtension(toMediaType(part))}`,
        content,
        ...toKnown(),
      });
      continue;
    }
    const places = [toRelativePath(part), readText(part, "filename"), ...names];
    const file = await findFile(places, folder);
    if (file !== undefined) media.push({ file, ...toName(names, file), ...toKnown() });
    else missing.push(...names.slice(0, 1));
  }
  return { media, missing };
}

function toDetails(part: Part, where: string): Details {
  const start = readText(part, "start");
  const type = toMediaType(part);
  return {
    ...(start === undefined ? {} : { start }),
    ...(/^(?:audio|video)\/[\w.+-]{1,100}$/.test(type) ? { type } : {}),
    ...readDigests(part, where),
  };
}

/** A recording keeps the name that the vCon gives, if its file has another. */
function toName([name]: readonly string[], file: string): { name?: string } {
  return name === undefined || name === toBareName(file) ? {} : { name };
}

/** A URL without a scheme is a path relative to the vCon. */
function toRelativePath(part: Part): string | undefined {
  const url = readText(part, "url");
  return url === undefined || URL.canParse(url) ? undefined : decode(url);
}

async function findFile(
  names: readonly (string | undefined)[],
  folder: MediaFolder,
): Promise<string | undefined> {
  for (const name of names) if (name && (await folder.has(name))) return name;
  return undefined;
}

/** Possible names of the file, the one that the vCon gives first. */
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
