// Parses the recordings that an entry names, and copies their files into the archive.
import { stat } from "node:fs/promises";
import { basename } from "node:path";
import {
  describeNonAudio,
  type Media,
  type MediaSource,
  type MediaStore,
  readHead,
  type Recording,
} from "@call-media/store";
import {
  checkText,
  DIGEST_BYTES,
  DIGEST_KINDS,
  type DigestKind,
  type Digests,
  pickDigests,
  toKind,
} from "@call-media/store/values";
import { isLink, toLinkName } from "../link.ts";
import type { MediaFolder } from "../media-folder.ts";
import { Faults } from "../faults.ts";
import { RowFault, type RowNotice } from "../source-row.ts";
import { isObject } from "../json.ts";
import type { Clock } from "./clock.ts";
import { listSoundNotices } from "./sound-notices.ts";
import { createUnknownField } from "./record-parser.ts";

export interface MediaEntry extends Digests {
  /** A path in the media folder; with `content` or of a link the bare name. */
  readonly file: string;
  /** True if the source gave a link: the name may lack its extension. */
  readonly isLinked: boolean;
  /** Name of the recording; default: the last part of `file`. */
  readonly name: string | undefined;
  /** Its media type, for bytes that do not show one (D16). */
  readonly type: string | undefined;
  readonly startMs: number | undefined;
  /** Imports the call with only the name if the file is missing or empty. */
  readonly isOptional: boolean;
  /** The content, if the source carries it; JSON cannot. */
  readonly content: Uint8Array | undefined;
}

const KEYS: ReadonlySet<string> = new Set([
  "file",
  "name",
  "start",
  "type",
  "optional",
  ...DIGEST_KINDS,
]);
const toUnknownField = createUnknownField(KEYS);

const NAME: Form = { pattern: /^(?!\.{1,2}$)[^/]+$/, words: "a name, not a path" };

// They would end up in names of files, in headers and on terminals.
export const CONTROL = /\p{Cc}/u;

// A page of markup, say, must not be sent to a browser as a recording.
const MEDIA_TYPE: Form = {
  pattern: /^(?:audio|video)\/[\w.+-]{1,100}$/,
  words: "a media type of sound or video, such as audio/basic",
};

const DIGEST_FORMS = DIGEST_KINDS.map((kind): [DigestKind, Form] => {
  const digits = 2 * DIGEST_BYTES[kind];
  const pattern = new RegExp(`^[0-9a-f]{${digits}}$`);
  return [kind, { pattern, words: `${digits} lower-case hexadecimal digits` }];
});

export type MissingMedia = "reject" | "name";

export type NotSound = "keep" | "reject";

/** The source and the target of recordings. */
export interface MediaIntake {
  readonly from: MediaFolder;
  readonly to: MediaStore;
  readonly isLinked: boolean;
  /** Overrides `MediaEntry.isOptional`. */
  readonly missing?: MissingMedia | undefined;
  /** Called with the digest of each content that is in the archive now. */
  readonly onTaken?: ((sha256: string) => void) | undefined;
  /** Default `keep`. */
  readonly notSound?: NotSound | undefined;
}

export interface TakenRecordings {
  readonly recordings: readonly Recording[];
  /** Names of missing recordings, which the call keeps. */
  readonly missing: readonly string[];
  /** Each kind once. */
  readonly notices: readonly RowNotice[];
}

export const MISSING_NOTICE = "the file of a recording was missing or empty, its name was kept";

/** The recordings as given: the store orders them. Those with a fault are left out. */
export function parseMedia(list: readonly unknown[], clock: Clock, faults: Faults): MediaEntry[] {
  return list.flatMap(
    (entry, index) => faults.attempt(() => parse(entry, `media[${index}]`, clock)) ?? [],
  );
}

/**
 * Copies or links the files into the archive. All are examined before the first is copied, so that a rejected call leaves
 * nothing behind. Throws `RowFault` and the store's `MediaRejected`.
 */
export async function takeRecordings(
  entries: readonly MediaEntry[],
  intake: MediaIntake,
): Promise<TakenRecordings> {
  const { to, isLinked, onTaken = () => {} } = intake;
  const faults = new Faults();
  const { found, missing } = await examineRecordings(entries, intake, faults);
  faults.end();
  const recordings: Recording[] = [];
  const notices: RowNotice[] = missing.length > 0 ? [{ text: MISSING_NOTICE }] : [];
  for (const { entry, source } of found) {
    const media = await (isLinked ? link(to, source) : to.put(source));
    onTaken(media.sha256);
    recordings.push({ filename: toRecordingName(entry), startMs: entry.startMs, media });
    notices.push(...listSoundNotices(media, toRecordingName(entry)));
  }
  return { recordings, missing, notices };
}

/** Looks at the files, and copies none. What rejects the call is added to `faults`. */
export async function examineRecordings(
  entries: readonly MediaEntry[],
  { from, missing: policy, notSound }: Pick<MediaIntake, "from" | "missing" | "notSound">,
  faults: Faults,
) {
  const found: { readonly entry: MediaEntry; readonly source: MediaSource }[] = [];
  const missing: string[] = [];
  for (const entry of entries) {
    try {
      const source = await toSource(entry, from);
      if (notSound === "reject") await checkSound(source, toRecordingName(entry));
      found.push({ entry, source });
    } catch (error) {
      const isKept = policy === undefined ? entry.isOptional : policy === "name";
      if (isKept && error instanceof RowFault && !(error instanceof NotSoundFault))
        missing.push(toRecordingName(entry));
      else faults.add(error);
    }
  }
  return { found, missing };
}

class NotSoundFault extends RowFault {}

/** Throws for a page, a text, a program and a header alone. */
async function checkSound(source: MediaSource, filename: string): Promise<void> {
  const head = "path" in source ? await readHead(source.path) : source.content;
  const bytes = "path" in source ? (await stat(source.path)).size : source.content.length;
  const what = await describeNonAudio({ head, bytes, filename, type: source.type });
  if (what !== undefined) throw new NotSoundFault(`media: ${filename} is ${what}`);
}

async function link(to: MediaStore, source: MediaSource): Promise<Media> {
  if (!("path" in source)) return await to.put(source);
  if (to.link === undefined) throw new RowFault("media: this archive cannot link recordings");
  return await to.link(source);
}

/** Throws `RowFault` for a file that is missing or empty. */
async function toSource(entry: MediaEntry, from: MediaFolder): Promise<MediaSource> {
  const { file, isLinked, content, type, ...others } = entry;
  if (content?.length === 0) throw new RowFault(`${file} is empty`);
  const found = isLinked && content === undefined ? await from.find(file) : undefined;
  const place =
    content === undefined ? { path: await from.resolve(found ?? file) } : { name: file, content };
  return { ...place, type, filename: toRecordingName(entry), ...pickDigests(others) };
}

/** The name that the call has of it. */
export function toRecordingName({ file, name = basename(file) }: MediaEntry): string {
  return name;
}

function parse(entry: unknown, at: string, clock: Clock): MediaEntry {
  if (!isObject(entry))
    throw new RowFault(`${at}: must be an object with "file", not ${toKind(entry)}`);
  const { file, name, start = null, type, optional = false, content } = entry;
  const bytes = content instanceof Uint8Array ? content : undefined;
  const faults = new Faults();
  for (const key of Object.keys(entry))
    if (!KEYS.has(key) && !(key === "content" && content === bytes))
      faults.add(toUnknownField(key, `${at}.`));
  if (typeof optional !== "boolean")
    faults.add(new RowFault(`${at}.optional: must be true or false, not ${toKind(optional)}`));
  const media = {
    file: faults.attempt(() => readFile(file, `${at}.file`)) ?? "",
    isLinked: typeof file === "string" && isLink(file),
    name: faults.attempt(() => readForm(name, `${at}.name`, NAME)),
    type: faults.attempt(() => readForm(type, `${at}.type`, MEDIA_TYPE)),
    ...readDigests(entry, at, faults),
    startMs: faults.attempt(() => readStart(start, `${at}.start`, clock)),
    isOptional: optional === true,
    content: bytes,
  };
  faults.end();
  return media;
}

/** A path, or the name in a link. */
function readFile(file: unknown, field: string): string {
  const path = readText(file, field);
  if (!isLink(path)) return path;
  const name = toLinkName(path);
  if (name !== "" && !CONTROL.test(name)) return name;
  throw new RowFault(`${field}: the link names no file`);
}

const readStart = (start: unknown, field: string, clock: Clock): number | undefined =>
  start === null ? undefined : clock.toInstantMs(field, readText(start, field));

function readDigests(
  entry: Readonly<Record<string, unknown>>,
  at: string,
  faults: Faults,
): Digests {
  const given = DIGEST_FORMS.filter(([kind]) => entry[kind] !== undefined);
  return Object.fromEntries(
    given.map(([kind, form]) => [
      kind,
      faults.attempt(() => readForm(entry[kind], `${at}.${kind}`, form)),
    ]),
  );
}

interface Form {
  readonly pattern: RegExp;
  /** For people. */
  readonly words: string;
}

function readForm(value: unknown, field: string, form: Form): string | undefined {
  if (value === undefined || value === null) return undefined;
  const text = readText(value, field);
  if (form.pattern.test(text)) return text;
  throw new RowFault(`${field}: must be ${form.words}`);
}

function readText(value: unknown, field: string): string {
  if (value === undefined) throw new RowFault(`${field}: missing`);
  const fault = checkText(value);
  if (fault !== undefined || typeof value !== "string") throw new RowFault(`${field}: ${fault}`);
  if (CONTROL.test(value)) throw new RowFault(`${field}: has a control character`);
  return value;
}
