// Writes a bundle: the export that `call-media verify` accepts, the spreadsheet, the viewer, and the sums of all of them.
import type { CallMediaClient } from "@call-media/client";
import {
  type Bundle,
  createBundle,
  createCallSheet,
  createDayNames,
  createFailureList,
  createFileCount,
  createRecordMasks,
  createRedaction,
  createViewer,
  type DayNames,
  DEFAULT_TEMPLATE,
  EXPORT,
  type Exporter,
  type FailureGroup,
  type Field,
  groupLegs,
  type FileKind,
  type Item,
  listItems,
  listMasked,
  MANIFEST,
  type ManifestEntry,
  MAX_BUNDLE,
  MAX_VIEWER_CALLS,
  type Message,
  METADATA,
  type Outcome,
  listSearched,
  RECORD_FIELDS,
  type RecordMasks,
  type Redaction,
  redactSearch,
  type Report,
  REPORT,
  SHEET,
  toFolderDay,
  toManifestEntry,
  toManifestLine,
  toMetadataEntry,
  toReport,
  toReportJson,
  VIEWER,
  type WindowSummary,
} from "@call-media/handover";
import { archiveZone } from "../time.ts";
import { type BundledRecord, type FetchedFile, fetchFiles } from "./files.ts";
import type { Listing } from "./listing.ts";
import { toSha256 } from "./sha256.ts";
import type { Target } from "./target.ts";

export interface BundleOrder {
  readonly listing: Listing;
  /** The address of the service, as a command line names it. */
  readonly baseUrl: string;
  readonly filter: Readonly<Record<string, unknown>>;
  readonly where: string | null;
  readonly files: readonly FileKind[];
  readonly redact: readonly Field[];
  readonly exportedBy: Exporter;
  readonly beganAt: string;
}

export interface BundleWork {
  readonly client: CallMediaClient;
  readonly target: Target;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: Progress) => void;
}

export interface Progress {
  readonly calls: number;
  readonly bytes: number;
  readonly failures: number;
}

export interface Bundled {
  readonly report: Report;
  /** SHA-256 of the check sums, which cover every file. */
  readonly seal: string;
  readonly bytes: number;
  readonly failures: readonly FailureGroup[];
  readonly hasViewer: boolean;
}

/** A zip holds no more; what has been received by then goes with the target. */
export class TooLarge extends Error {
  override readonly name = "TooLarge";
}

// This many records are received in parallel, written in their order.
const AT_ONCE = 4;

/** @throws TooLarge; the errors of a call that concern more than one file. The caller then aborts the target. */
export async function writeBundle(order: BundleOrder, work: BundleWork): Promise<Bundled> {
  const masked = listMasked(order);
  const context = { ...work, redaction: createRedaction(masked) };
  const { records, search, left } = maskRecords(order, context.redaction);
  const writer = createWriter(work);
  const all = new Map<BundledRecord, FetchedFile[]>(records.map((record) => [record, []]));
  const progress = { calls: 0, bytes: 0, failures: 0 };
  const hasViewer = records.length <= MAX_VIEWER_CALLS;

  async function receive(record: BundledRecord, items: readonly Item[]): Promise<FetchedFile[]> {
    return [...(await fetchFiles(context, record, items))];
  }
  for await (const [record, files] of inOrder(records, (one) => receive(one, one.items))) {
    for (const file of files) {
      await writer.addFile(file);
      progress.bytes += file.outcome.bytes ?? 0;
      if (isFailure(file.outcome)) progress.failures++;
      all.get(record)?.push(release(file, hasViewer));
    }
    progress.calls++;
    work.onProgress({ ...progress });
  }
  // A failed request may succeed later.
  for (const [record, files] of all)
    for (const [index, { item, outcome }] of files.entries()) {
      if (outcome.status !== "failed") continue;
      const [again] = await receive(record, [item]);
      if (again === undefined) continue;
      await writer.addFile(again);
      files[index] = release(again, hasViewer);
      if (!isFailure(again.outcome)) progress.failures--;
      work.onProgress({ ...progress });
    }
  return await finish({ ...order, ...search }, { writer, masked, all, hasViewer, left });
}

const isFailure = ({ status }: Outcome) => status !== "complete" && status !== "none";

/** Written data need not be kept. */
const release = (file: FetchedFile, hasViewer: boolean): FetchedFile => ({
  ...file,
  content: undefined,
  messages: hasViewer ? file.messages : [],
});

/** The records with their masks, the search without what they hide, and what they leave. */
function maskRecords(order: BundleOrder, redaction: Redaction) {
  const { filter, where, listing } = order;
  const search = { filter, where, ids: listing.ids?.missing };
  const masks = createRecordMasks(redaction, listSearched(search));
  const legsOf = groupLegs(listing.records.map(({ raw }) => raw));
  const records = toRecords(order, (raw) => masks.redact(raw, legsOf(raw)));
  const hidden = masks.listHidden();
  const texts = listSearched(search).filter((_, index) => hidden.includes(index));
  const { ids: missing, ...hiding } = redactSearch(search, texts);
  const ids = listing.ids && { ...listing.ids, missing: missing ?? [] };
  return { records, search: { ...hiding, listing: { ...listing, ids } }, left: masks.countLeft() };
}

/** Masked and named, the latest day first: the manifest has the files of a day together. */
function toRecords({ listing, files }: BundleOrder, redact: Redaction["redact"]): BundledRecord[] {
  const naming = { name: DEFAULT_TEMPLATE, files };
  const days = new Map<string, DayNames>();
  const namesOf = (day: string) => {
    const names = days.get(day) ?? createDayNames(naming);
    days.set(day, names);
    return names;
  };
  const rows = listing.records.map(({ raw, parts }, index) => ({
    record: redact(raw),
    parts,
    day: toFolderDay(raw, listing.account),
    items: listItems(files, { index, parts }),
  }));
  return rows
    .map(({ record, parts, day, items }) => ({
      record,
      day,
      items,
      ...(items.length > 0 ? namesOf(day).place({ record, parts }) : NAMELESS),
    }))
    .toSorted((one, other) => (one.day === other.day ? 0 : one.day < other.day ? 1 : -1));
}

const NAMELESS = { stems: { recording: [], transcript: [] }, isFirst: false };

/** The results of `work` in order, a few under way at once. */
async function* inOrder<One, Result>(
  all: readonly One[],
  work: (one: One) => Promise<Result>,
): AsyncGenerator<readonly [One, Result]> {
  const begun: (readonly [One, Promise<Result>])[] = [];
  const begin = (one: One | undefined) => {
    if (one === undefined) return;
    const result = work(one);
    // It is waited for below, perhaps after it has failed.
    result.catch(() => {});
    begun.push([one, result]);
  };
  for (let next = 0; next < AT_ONCE; next++) begin(all[next]);
  for (let next = AT_ONCE, first; (first = begun.shift()) !== undefined; next++) {
    yield [first[0], await first[1]];
    begin(all[next]);
  }
}

interface Writer {
  readonly bundle: Bundle;
  readonly addFile: (file: FetchedFile) => Promise<void>;
  /** Returns its SHA-256. */
  readonly add: (path: string, content: Blob) => Promise<string>;
  readonly flush: () => Promise<void>;
  readonly size: () => number;
}

function createWriter({ target, signal }: BundleWork): Writer {
  let [bytes, files] = [0, 0];
  const pieces: Uint8Array[] = [];
  const bundle = createBundle((piece) => pieces.push(piece));
  async function flush(): Promise<void> {
    signal.throwIfAborted();
    for (const piece of pieces.splice(0)) {
      bytes += piece.length;
      // fflate allocates no shared memory.
      await target.write(piece as Uint8Array<ArrayBuffer>);
    }
    if (bytes > MAX_BUNDLE.bytes || files > MAX_BUNDLE.files) throw new TooLarge();
  }
  async function write(path: string, content: Blob, sha256: string): Promise<void> {
    files++;
    const file = bundle.open(path);
    for await (const piece of content.stream()) {
      file.write(piece);
      await flush();
    }
    file.end(sha256);
    await flush();
  }
  return {
    bundle,
    flush,
    size: () => bytes,
    async addFile({ content, outcome: { file, sha256 } }) {
      if (content !== undefined && file !== null && sha256 !== null)
        await write(`${EXPORT}/${file}`, content, sha256);
    },
    async add(path, content) {
      const sha256 = await toSha256(content);
      await write(path, content, sha256);
      return sha256;
    },
  };
}

interface Finishing {
  readonly writer: Writer;
  readonly masked: readonly Field[];
  readonly all: ReadonlyMap<BundledRecord, readonly FetchedFile[]>;
  readonly hasViewer: boolean;
  readonly left: ReturnType<RecordMasks["countLeft"]>;
}

async function finish(order: BundleOrder, finishing: Finishing): Promise<Bundled> {
  const { writer, masked, all, hasViewer, left } = finishing;
  const entries = new Map<BundledRecord, readonly ManifestEntry[]>();
  const files = createFileCount();
  const failures = createFailureList();
  for (const [record, fetched] of all) {
    const own = fetched
      .map(({ item, outcome }) => toManifestEntry(record.record, { ...item, ...outcome }, masked))
      .filter(({ status }) => status !== "none");
    entries.set(record, own);
    for (const entry of own) {
      files.add(entry);
      failures.add(entry);
    }
  }
  const put = async (file: string, lines: readonly string[]) => {
    const content = new Blob([...lines]);
    const sha256 = await writer.add(`${EXPORT}/${file}`, content);
    return { file, bytes: content.size, sha256 };
  };
  const lines = [...all.keys()].map(({ record }) => `${JSON.stringify(record)}\n`);
  const metadata = await put(METADATA.jsonl, lines);
  const manifest = await put(MANIFEST, [
    ...[...entries.values()].flat().map(toManifestLine),
    toManifestLine(toMetadataEntry(metadata, "jsonl", masked)),
  ]);
  const { account, ids } = order.listing;
  const { from, to } = account;
  const report = toReport({ ...order, from, to, ids, redacted: masked }, order.exportedBy, {
    beganAt: order.beganAt,
    metadata,
    manifest,
    files: files.read(),
    windows: [{ ...toWindow(order.listing, [...all.values()].flat()), ...left }],
  });
  await put(REPORT, [toReportJson(report)]);
  await addSheet(writer, entries);
  if (hasViewer) await addViewer(writer, { report, all, entries });
  const seal = await toSha256(new Blob([writer.bundle.end()]));
  await writer.flush();
  return { report, seal, bytes: writer.size(), failures: failures.groups(), hasViewer };
}

function toWindow({ account }: Listing, files: readonly FetchedFile[]): WindowSummary {
  const counts = { complete: 0, none: 0, missing: 0, refused: 0, damaged: 0, failed: 0 };
  let untoldChats = 0;
  for (const { item, outcome } of files) {
    counts[outcome.status]++;
    if (item.kind === "transcript" && outcome.verified === "nothing") untoldChats++;
  }
  return { ...account, files: counts, untoldChats };
}

type Entries = ReadonlyMap<BundledRecord, readonly ManifestEntry[]>;

async function addSheet({ add }: Writer, entries: Entries): Promise<void> {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  const sheet = createCallSheet(
    { fields: RECORD_FIELDS, archiveTimeZone: archiveZone.value, hasFiles: true },
    // fflate allocates no shared memory.
    (bytes) => parts.push(bytes as Uint8Array<ArrayBuffer>),
  );
  for (const [{ record }, own] of entries)
    sheet.add([record], () =>
      own.flatMap(({ file }) => (file === null ? [] : [`${EXPORT}/${file}`])),
    );
  sheet.end();
  await add(SHEET, new Blob(parts));
}

interface Viewed extends Pick<Finishing, "all"> {
  readonly report: Report;
  readonly entries: Entries;
}

async function addViewer({ add }: Writer, { report, all, entries }: Viewed): Promise<void> {
  const viewer = await createViewer(report);
  const parts = [viewer.begin()];
  for (const [record, own] of entries) {
    const messages: Message[] = (all.get(record) ?? []).flatMap((file) => [...file.messages]);
    const recordings = own.filter(({ kind }) => kind === "recording");
    parts.push(viewer.add({ record: record.record, recordings, messages }));
  }
  parts.push(viewer.end());
  await add(VIEWER, new Blob(parts));
}
