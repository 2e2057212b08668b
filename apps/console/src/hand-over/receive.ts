// Provides the calls of a hand-over to its writer. Their files are received in order and checked before they are passed on.
import type { CallMediaClient, CallRecord } from "@call-media/client";
import {
  type CallSpan,
  createLegs,
  createMuting,
  createPlaces,
  createRecordMasks,
  createRedaction,
  createSpanTally,
  DEFAULT_TEMPLATE,
  type Exporter,
  type Field,
  type FileKind,
  type HandOverSource,
  listMasked,
  listSearched,
  MAX_VIEWER_CALLS,
  type Muting,
  type Place,
  type ReceivedFile,
  type Redaction,
  redactSearch,
  type Searched,
  toFolderDay,
  toSpanNames,
} from "@call-media/handover";
import { archiveZone } from "../time.ts";
import { type FetchedFile, fetchFiles } from "./files.ts";
import type { Listing } from "./listing.ts";
import type { MuteContext } from "./mute-recording.ts";

export interface Order {
  readonly listing: Listing;
  /** The URL of the service, as on a command line. */
  readonly baseUrl: string;
  readonly filter: Readonly<Record<string, unknown>>;
  readonly words: string | undefined;
  readonly where: string | null;
  readonly files: readonly FileKind[];
  readonly redact: readonly Field[];
  /** Spans of these calls to mute. */
  readonly mute: readonly CallSpan[];
  /** The purpose of the hand-over. */
  readonly purpose: string | undefined;
  readonly exportedBy: Exporter;
  readonly beganAt: string;
  readonly now: () => Date;
}

export interface Receiving {
  readonly client: CallMediaClient;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: Progress) => void;
}

export interface Progress {
  readonly calls: number;
  readonly bytes: number;
  readonly failures: number;
}

// This many records are received in parallel, and passed on in order.
const AT_ONCE = 4;

/** Throws errors of a call that concern more than one file; so do the reads of its result. */
export async function openSource(order: Order, receiving: Receiving): Promise<HandOverSource> {
  const { listing, exportedBy, beganAt } = order;
  const redacted = listMasked(order);
  const redaction = createRedaction(redacted);
  const raws = redacted.length === 0 ? [] : listing.records.map(({ raw }) => raw);
  const legsOf = await createLegs(receiving, raws);
  const muting = createMuting(order.mute);
  const { calls, left, describeSearch } = maskRecords(order, { redaction, muting, legsOf });
  return {
    // Muting is only known after all files are received.
    get search() {
      return { ...describeSearch(), archiveTimeZone: archiveZone.value, redacted };
    },
    exportedBy,
    beganAt,
    now: order.now,
    spans: [{ ...listing.listed, ...left }],
    files: () => receive(calls, { ...receiving, redaction, muting, by: exportedBy }),
    async *calls() {
      for (const { record, files } of calls)
        yield {
          record,
          span: 0,
          files,
          isSuperseded: false,
          readMessages: async () => files.flatMap(({ messages }) => [...messages]),
        };
    },
  };
}

interface Masking {
  readonly redaction: Redaction;
  readonly muting: Muting;
  readonly legsOf: Awaited<ReturnType<typeof createLegs>>;
}

/** Returns the masked records with their paths, counts of fields that still repeat a masked value, and the masked search. */
function maskRecords(order: Order, { redaction, muting, legsOf }: Masking) {
  const { filter, where, words, mute, listing, files, purpose } = order;
  const search = { filter, where, words, ids: listing.ids?.missing, mute, purpose };
  const masks = createRecordMasks(redaction, listSearched(search));
  const naming = { name: DEFAULT_TEMPLATE, files, archiveTimeZone: archiveZone.value };
  const places = createPlaces(naming);
  const legs = listing.records.map(({ raw, parts }) => {
    const record = masks.redact(muting.muteRecord(raw), legsOf(raw));
    return { record, parts, day: toFolderDay(record, listing.listed) };
  });
  legs.forEach(places.foresee);
  const place = places.open();
  const calls = legs.map((leg, index): PlacedCall => ({
    record: leg.record,
    ...place(leg, index),
    files: [],
  }));
  const hidden = masks.listHidden();
  const texts = listSearched(search).filter((_, index) => hidden.includes(index));
  const describeSearch = () => toSearched(order, calls, texts);
  return { calls, left: masks.countLeft(), describeSearch };
}

/** `texts`: the texts of the search that contain a masked value. */
function toSearched(
  { baseUrl, filter, where, words, mute, files: kinds, listing, purpose }: Order,
  calls: readonly PlacedCall[],
  texts: readonly string[],
): Omit<Searched, "archiveTimeZone" | "redacted"> {
  const { from, to } = listing.listed;
  const unmuted =
    mute.length === 0 || !kinds.includes("recordings") ? undefined : listUnmuted(mute, calls);
  const searched = { filter, where, words, ids: listing.ids?.missing, mute: unmuted, purpose };
  const { ids = [], mute: named, ...search } = redactSearch(searched, texts);
  return {
    ...search,
    baseUrl,
    from,
    to,
    kinds,
    ids: listing.ids && { ...listing.ids, missing: ids },
    mute: named && { asked: mute.length, missing: toSpanNames(named) },
  };
}

function listUnmuted(mute: readonly CallSpan[], calls: readonly PlacedCall[]) {
  const tally = createSpanTally(mute);
  for (const { record, files } of calls)
    for (const { item, outcome } of files)
      if (item.kind === "recording") tally.add(record.call_id, outcome);
  return tally.listUnmuted();
}

/** A record with the paths of its files, and their results so far. */
interface PlacedCall extends Place {
  /** Masked if requested. */
  readonly record: CallRecord;
  files: readonly FetchedFile[];
}

type Context = MuteContext & Pick<Receiving, "onProgress">;

async function* receive(
  calls: readonly PlacedCall[],
  context: Context,
): AsyncGenerator<ReceivedFile> {
  const progress = { calls: 0, bytes: 0, failures: 0 };
  const hasViewer = calls.length <= MAX_VIEWER_CALLS;
  // Content that was written need not stay in memory.
  const release = (file: FetchedFile): FetchedFile => ({
    ...file,
    content: undefined,
    messages: hasViewer ? file.messages : [],
  });
  for await (const [call, files] of inOrder(calls, (one) => fetchFiles(context, one, one.items))) {
    for (const file of files) {
      yield* toReceived(file);
      progress.bytes += file.outcome.bytes ?? 0;
      if (isFailure(file)) progress.failures++;
    }
    call.files = files.map(release);
    progress.calls++;
    context.onProgress({ ...progress });
  }
  // A failed request may succeed later.
  for (const call of calls)
    for (const { item } of call.files.filter(({ outcome }) => outcome.status === "failed")) {
      const again = await fetchFiles(context, call, [item]);
      for (const file of again) yield* toReceived(file);
      call.files = call.files.map((one) =>
        one.item === item ? (again.map(release)[0] ?? one) : one,
      );
      if (!again.some(isFailure)) progress.failures--;
      context.onProgress({ ...progress });
    }
}

const isFailure = ({ outcome: { status } }: FetchedFile) =>
  status !== "complete" && status !== "none";

function* toReceived({ content, outcome: { file, sha256 } }: FetchedFile): Generator<ReceivedFile> {
  if (content !== undefined && file !== null && sha256 !== null)
    yield { file, sha256, content: content.stream() };
}

/** Yields the results of `work` in order, with a few in progress in parallel. */
async function* inOrder<One, Result>(
  all: readonly One[],
  work: (one: One) => Promise<Result>,
): AsyncGenerator<readonly [One, Result]> {
  const begun: (readonly [One, Promise<Result>])[] = [];
  const begin = (one: One | undefined) => {
    if (one === undefined) return;
    const result = work(one);
    // Awaited below, perhaps after it has failed.
    result.catch(() => {});
    begun.push([one, result]);
  };
  for (let next = 0; next < AT_ONCE; next++) begin(all[next]);
  for (let next = AT_ONCE, first; (first = begun.shift()) !== undefined; next++) {
    yield [first[0], await first[1]];
    begin(all[next]);
  }
}
