// The recordings that an entry names, and the way of their files into the archive.
import { basename } from "node:path";
import type { MediaFiles, MediaSource, Recording } from "../../call-store.ts";
import {
  DIGEST_BYTES,
  DIGEST_KINDS,
  type DigestKind,
  type Digests,
  pickDigests,
} from "../../media/digests.ts";
import type { MediaFolder } from "../media-folder.ts";
import { RowFault } from "../source-row.ts";
import type { Clock } from "./clock.ts";
import { checkText, isObject, toKind } from "./field-check.ts";
import { createUnknownField } from "./unknown-field.ts";

export interface MediaEntry extends Digests {
  /** A path in the media folder; with `content` the bare name. */
  readonly file: string;
  /** What the recording is called; default: the last part of `file`. */
  readonly name: string | undefined;
  /** Its media type, for bytes that do not show one (D16). */
  readonly type: string | undefined;
  readonly startMs: number | undefined;
  /** The bytes themselves, where the source carries them; JSON cannot. */
  readonly content: Uint8Array | undefined;
}

const KEYS: ReadonlySet<string> = new Set(["file", "name", "start", "type", ...DIGEST_KINDS]);
const toUnknownField = createUnknownField(KEYS);

const NAME: Form = { pattern: /^(?!\.{1,2}$)[^/]+$/, words: "a name, not a path" };

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

/** Where recordings come from, and whether they stay there. */
export interface MediaIntake {
  readonly from: MediaFolder;
  readonly to: MediaFiles;
  readonly isLinked: boolean;
}

/** In the order of D17: by start, then as they were given. Throws `RowFault`. */
export function parseMedia(list: readonly unknown[], clock: Clock): MediaEntry[] {
  const entries = list.map((entry, index) => parse(entry, `media[${index}]`, clock));
  return entries.toSorted((a, b) => (a.startMs ?? Infinity) - (b.startMs ?? Infinity) || 0); // Infinity - Infinity is NaN
}

/**
 * Takes the files into the archive. All of them are looked at before the first is copied, so that a call which is
 * rejected for one of its files leaves nothing behind. Throws `RowFault` and the store's `MediaRejected`.
 */
export async function takeRecordings(
  entries: readonly MediaEntry[],
  { from, to, isLinked }: MediaIntake,
): Promise<Recording[]> {
  const sources: MediaSource[] = [];
  for (const { file, content, type, ...others } of entries) {
    if (content?.length === 0) throw new RowFault(`${file} is empty`);
    const place =
      content === undefined
        ? { path: await from.resolve(file), isLinked }
        : { name: file, content };
    sources.push({ ...place, type, ...pickDigests(others) });
  }
  const recordings: Recording[] = [];
  for (const [index, source] of sources.entries()) {
    const { file = "", name = basename(file), startMs } = entries[index] ?? {};
    recordings.push({ filename: name, startMs, media: await to.add(source) });
  }
  return recordings;
}

function parse(entry: unknown, at: string, clock: Clock): MediaEntry {
  if (!isObject(entry))
    throw new RowFault(`${at}: must be an object with "file", not ${toKind(entry)}`);
  const { file, name, start = null, type, content } = entry;
  const bytes = content instanceof Uint8Array ? content : undefined;
  const unknown = Object.keys(entry).find(
    (key) => !KEYS.has(key) && !(key === "content" && content === bytes),
  );
  if (unknown !== undefined) throw toUnknownField(unknown, `${at}.`);
  return {
    file: readText(file, `${at}.file`),
    name: readForm(name, `${at}.name`, NAME),
    type: readForm(type, `${at}.type`, MEDIA_TYPE),
    ...readDigests(entry, at),
    startMs:
      start === null ? undefined : clock.toInstantMs(`${at}.start`, readText(start, `${at}.start`)),
    content: bytes,
  };
}

function readDigests(entry: Readonly<Record<string, unknown>>, at: string): Digests {
  const given = DIGEST_FORMS.filter(([kind]) => entry[kind] !== undefined);
  return Object.fromEntries(
    given.map(([kind, form]) => [kind, readForm(entry[kind], `${at}.${kind}`, form)]),
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
  return value;
}
