// Writes a hand-over, for any author and any target: files, records, manifest, report, sheet, page and checksums.
import type { FailureGroup } from "../export/failure-list.ts";
import { RECORD_FIELDS } from "../export/fields.ts";
import { MANIFEST, METADATA, REPORT, SUPERSEDED } from "../export/layout.ts";
import {
  type ManifestEntry,
  toManifestLine,
  toMetadataEntry,
  toSupersededEntry,
  type Written,
} from "../export/manifest.ts";
import { type Report, toReportJson } from "../export/report.ts";
import { createCallSheet } from "../spreadsheet/call-sheet.ts";
import { createSummary, toEntries } from "./summary.ts";
import { EXPORT, MAX_VIEWER_CALLS, MAX_ZIP, SHEET, VIEWER } from "./layout.ts";
import { byTime } from "../fetching/by-time.ts";
import type { HandedCall, HandOverSource } from "./source.ts";
import { createViewer } from "./viewer.ts";
import { createZip } from "./zip.ts";

/** SHA-256, as from `createHash` of Node.js. */
export interface Digest {
  readonly update: (bytes: Uint8Array) => unknown;
  readonly digest: () => Uint8Array;
}

/** The target of the hand-over. */
export interface HandOverTarget {
  readonly write: (bytes: Uint8Array) => Promise<void>;
  readonly createDigest: () => Digest;
}

export interface HandedOver {
  readonly report: Report;
  /** SHA-256 of the zip, hexadecimal. */
  readonly seal: string;
  readonly bytes: number;
  readonly failures: readonly FailureGroup[];
  /** True if it has a page for reading and hearing the calls. */
  readonly hasViewer: boolean;
}

/** A zip of that length, or with that number of files, cannot be opened. */
export class TooLarge extends Error {
  override readonly name = "TooLarge";
}

/**
 * The same source and clock yield the same bytes. The bytes written before an error are not a zip.
 *
 * @throws TooLarge; the errors of the source and the target.
 */
export async function writeHandOver(
  source: HandOverSource,
  target: HandOverTarget,
): Promise<HandedOver> {
  const writer = createWriter(target, new Date(source.beganAt));
  for await (const { file, content, sha256 } of source.files())
    await writer.add(`${EXPORT}/${file}`, content, sha256);
  const put = async (file: string, lines: Lines): Promise<Written> => ({
    file,
    ...(await writer.add(`${EXPORT}/${file}`, toBytes(lines))),
  });
  const metadata = await put(METADATA.jsonl, toRecordLines(source, false));
  const hasEarlier = source.spans.some(({ superseded }) => superseded > 0);
  const earlier = hasEarlier ? await put(SUPERSEDED, toRecordLines(source, true)) : undefined;
  const { redacted } = source.search;
  const summary = createSummary(source);
  const manifest = await put(
    MANIFEST,
    toManifest(source, summary.add, [
      ...(earlier === undefined ? [] : [toSupersededEntry(earlier, redacted)]),
      toMetadataEntry(metadata, "jsonl", redacted),
    ]),
  );
  const report = summary.toReport(metadata, manifest);
  await put(REPORT, [toReportJson(report)]);
  await writer.add(SHEET, writeSheet(source));
  const hasViewer = report.records.written <= MAX_VIEWER_CALLS;
  if (hasViewer) await writer.add(VIEWER, toBytes(writePage(source, report)));
  return { report, failures: summary.failures(), hasViewer, ...(await writer.end()) };
}

type Lines = AsyncIterable<string> | Iterable<string>;

async function* toRecordLines({ calls }: HandOverSource, isSuperseded: boolean) {
  for await (const call of calls())
    if (call.isSuperseded === isSuperseded) yield `${JSON.stringify(call.record)}\n`;
}

async function* toManifest(
  { calls }: HandOverSource,
  add: (call: HandedCall) => readonly ManifestEntry[],
  last: readonly ManifestEntry[],
) {
  for await (const call of calls()) yield add(call).map(toManifestLine).join("");
  yield last.map(toManifestLine).join("");
}

interface Entered {
  readonly call: HandedCall;
  readonly entries: readonly ManifestEntry[];
}

/** The calls in the latest version of each record. */
async function* readCalls({ calls, search }: HandOverSource): AsyncGenerator<Entered> {
  for await (const call of calls())
    if (!call.isSuperseded) yield { call, entries: toEntries(call, search) };
}

/** In reading order: the call with the newest leg first, its legs by time. */
async function readByLegs(source: HandOverSource) {
  const calls: Entered[] = [];
  for await (const call of readCalls(source)) calls.push(call);
  const legs = Map.groupBy(calls, ({ call }) => call.record.call_id ?? call);
  const inTime = byTime(source.search.archiveTimeZone);
  return [...legs.values()].flatMap((of) =>
    of.toSorted((one, other) => inTime(one.call.record, other.call.record)),
  );
}

async function* writeSheet(source: HandOverSource): AsyncGenerator<Uint8Array> {
  const { timeZone, search } = source;
  const { archiveTimeZone } = search;
  const options = { fields: RECORD_FIELDS, timeZone, archiveTimeZone, hasFiles: true };
  const chunks: Uint8Array[] = [];
  const sheet = createCallSheet(options, (bytes) => chunks.push(bytes));
  for await (const { call, entries } of readCalls(source)) {
    const files = entries.flatMap(({ file, sound }) =>
      file === null ? [] : [{ file: `${EXPORT}/${file}`, sound }],
    );
    sheet.add([call.record], () => files);
    yield* chunks.splice(0);
  }
  sheet.end();
  yield* chunks;
}

async function* writePage(source: HandOverSource, report: Report): AsyncGenerator<string> {
  const viewer = await createViewer(report);
  yield viewer.begin();
  for (const { call, entries } of await readByLegs(source)) {
    const recordings = entries.filter(({ kind }) => kind === "recording");
    yield viewer.add({ record: call.record, recordings, messages: await call.readMessages() });
  }
  yield viewer.end();
}

async function* toBytes(lines: Lines): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  for await (const line of lines) yield encoder.encode(line);
}

/** Hashes the data that it writes: each file, and the whole. */
function createWriter({ write, createDigest }: HandOverTarget, at: Date) {
  const chunks: Uint8Array[] = [];
  const whole = createDigest();
  const zip = createZip((chunk) => chunks.push(chunk), at);
  let [bytes, files] = [0, 0];
  async function flush(): Promise<void> {
    for (const chunk of chunks.splice(0)) {
      whole.update(chunk);
      bytes += chunk.length;
      await write(chunk);
    }
    if (bytes > MAX_ZIP.bytes || files > MAX_ZIP.files) throw new TooLarge();
  }
  return {
    /** `known`: the SHA-256, if already computed. */
    async add(
      path: string,
      content: AsyncIterable<Uint8Array>,
      known?: string,
    ): Promise<Omit<Written, "file">> {
      files++;
      const file = zip.open(path);
      const digest = known === undefined ? createDigest() : undefined;
      let length = 0;
      for await (const chunk of content) {
        digest?.update(chunk);
        length += chunk.length;
        file.write(chunk);
        await flush();
      }
      const sha256 = known ?? toHex(digest);
      file.end(sha256);
      await flush();
      return { bytes: length, sha256 };
    },
    async end(): Promise<Pick<HandedOver, "seal" | "bytes">> {
      zip.end();
      await flush();
      return { seal: toHex(whole), bytes };
    },
  };
}

const toHex = (digest: Digest | undefined): string =>
  [...(digest?.digest() ?? [])].map((byte) => byte.toString(16).padStart(2, "0")).join("");
