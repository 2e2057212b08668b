// The recordings of a vCon: inside it, or a file beside it. What a URL points to is never fetched.
import { toExtension } from "../../../media/extensions.ts";
import type { MediaFolder } from "../../media-folder.ts";
import { RowFault } from "../../source-row.ts";
import { readText } from "../json-value.ts";
import { readBinaryBody } from "./body.ts";
import type { Part, Vcon } from "./vcon.ts";

export interface VconRecordings {
  /** As `media` of an entry; `content` holds the bytes that came with the vCon. */
  readonly media: readonly {
    readonly file: string;
    readonly name?: string;
    readonly content?: Uint8Array;
    readonly start?: string;
    readonly type?: string;
    readonly sha256?: string;
    readonly sha512?: string;
  }[];
  /** Names of recordings that are neither inside nor beside it. */
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

/** Throws `RowFault` for a body or a digest that cannot be decoded. */
export async function findRecordings(
  { uuid, dialog }: Vcon,
  folder: MediaFolder,
): Promise<VconRecordings> {
  const media: VconRecordings["media"][number][] = [];
  const missing: string[] = [];
  for (const [index, part] of dialog.entries()) {
    if (!isRecording(part)) continue;
    const where = `dialog[${index}]`;
    const content = readBinaryBody(part, where);
    const names = toNames(part);
    if (content !== undefined) {
      media.push({
        file: names[0] ?? `${uuid}-${index + 1}${toExtension(toMediaType(part))}`,
        content,
        ...toDetails(part, where),
      });
      continue;
    }
    const places = [toRelativePath(part), readText(part, "filename"), ...names];
    const file = await findFile(places, folder);
    if (file !== undefined) media.push({ file, ...toName(names, file), ...toDetails(part, where) });
    else missing.push(...names.slice(0, 1));
  }
  return { media, missing };
}

type Details = Pick<VconRecordings["media"][number], "start" | "type" | Digest>;

function toDetails(part: Part, where: string): Details {
  const start = readText(part, "start");
  const type = toMediaType(part);
  return {
    ...(start === undefined ? {} : { start }),
    ...(/^(?:audio|video)\/[\w.+-]{1,100}$/.test(type) ? { type } : {}),
    ...readDigests(part, where),
  };
}

type Digest = "sha256" | "sha512";

const DIGEST_BYTES: Readonly<Record<Digest, number>> = { sha256: 32, sha512: 64 };

// As draft-ietf-vcon-vcon-core has them in content_hash, one or several; we export SHA-256. Of early versions it is a signature.
function readDigests(part: Part, where: string): Partial<Record<Digest, string>> {
  const signature = part["alg"] === "SHA-512" ? `sha512-${String(part["signature"])}` : [];
  const given = [part["content_hash"] ?? [], signature].flat().map(String);
  // The first of a kind counts.
  return Object.fromEntries(given.toReversed().flatMap((text) => readDigest(text, where)));
}

// The draft writes base64url; standard base64 and hexadecimal can be nothing else. Other algorithms are not checked.
function readDigest(text: string, where: string): [Digest, string][] {
  const [, bits, digits = ""] = /^sha-?(256|512)[-:=](.*)$/i.exec(text) ?? [];
  if (bits === undefined) return [];
  const kind: Digest = bits === "256" ? "sha256" : "sha512";
  const encoding =
    /^[\da-f]+$/i.test(digits) && digits.length === 2 * DIGEST_BYTES[kind] ? "hex" : "base64";
  const isDigits = /^[\w+/-]+={0,2}$/.test(digits);
  const digest = Buffer.from(isDigits ? digits : "", encoding);
  if (digest.length === DIGEST_BYTES[kind]) return [[kind, digest.toString("hex")]];
  throw new RowFault(`${where}.content_hash: no digest of ${DIGEST_BYTES[kind]} bytes: "${text}"`);
}

/** A recording whose file has a name of its own keeps the one that the vCon gives. */
function toName([name]: readonly string[], file: string): { name?: string } {
  return name === undefined || name === toBareName(file) ? {} : { name };
}

/** A URL without a scheme is a path beside the vCon. */
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
