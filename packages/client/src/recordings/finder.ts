// Finds the recordings of a record: requests those of its identifiers, and selects its own.
import { readJson } from "../call/answer.ts";
import type { Caller } from "../call/caller.ts";
import { toOperation, toSegment } from "../call/request.ts";
import { type ErrorSubject, NotFoundError, ProtocolError } from "../errors.ts";
import { type CallOptions, toCallOptions } from "../options.ts";
import {
  assignNames,
  type Place,
  toAmbiguous,
  toMissing,
  toOwner,
  toPlace,
} from "./own-recordings.ts";
import { type Announced, type RecordingOwner, toFilename } from "./recording-headers.ts";
import {
  type NamedRecording,
  type OwnerRecord,
  type OwnRecording,
  type RecordingOfRecord,
  type RecordingRequest,
  toInit,
  toPart,
  toPath,
} from "./recording-request.ts";
import { countNames, createRecordingsOfId, type Identifier } from "./recordings-of-id.ts";

interface Holder extends Identifier {
  readonly which: RecordingRequest;
  /** For errors without a request. */
  readonly about: ErrorSubject;
}

/** A record among those of one of its identifiers. */
interface Held {
  readonly holder: Holder;
  readonly place: Place;
}

export interface Finder {
  readonly of: (record: OwnerRecord, more?: CallOptions) => Promise<OwnRecording[]>;
  readonly find: (wanted: NamedRecording | RecordingOfRecord) => Promise<RecordingRequest>;
  /** Drops the cached responses for the record's identifiers, because they are outdated. */
  readonly forget: (owner: RecordingOwner, more: CallOptions) => void;
}

/** `announce` returns the service's description of a recording. */
export function createFinder(
  { call, options }: Caller,
  announce: (wanted: RecordingRequest) => Promise<Announced>,
): Finder {
  const known = createRecordingsOfId(options.clock);

  function toHolder(which: RecordingRequest): Holder {
    const operation = toOperation("GET", `/metadata/${toPath(which)}`);
    return {
      which,
      about: { ...operation, url: options.baseUrl + operation.path, attempts: 0 },
      key: toKey(which),
      signal: which.signal,
      requests: {
        askRecords: async () => {
          const { data } = await call(operation, toInit(which), readJson);
          // parseSuccess checked that it is an array, but not its elements.
          return (data as { data: OwnerRecord[] }).data.map(Object);
        },
        askHead: async (part) => ({ part, announced: await announce(toPart(which, part)) }),
      },
    };
  }

  /** Chooses the identifier that belongs to no other record, or else has the fewest recordings. */
  async function hold(record: OwnerRecord, more: CallOptions): Promise<Held> {
    // No path can contain a call_id such as "..". Its recordings may have a reference that a path can contain.
    const [call_id, ref_id] = [toSegment(record.call_id), toSegment(record.ref_id)];
    // A call_id has fewer records than a reference. Without either, the service rejects the request.
    const byReference = ref_id ? [toHolder({ ...more, ref_id })] : [];
    const [first = toHolder({ ...more, call_id: record.call_id ?? "" }), ...others] = call_id
      ? [toHolder({ ...more, call_id }), ...byReference]
      : byReference;
    let fewest: { readonly held: Held; readonly count: number } | undefined;
    for (const holder of [first, ...others]) {
      const toPlaced = (records: readonly OwnerRecord[]) => toPlace(record, records);
      const records = await known.listRecords(holder, (those) => toPlaced(those) !== undefined);
      const place = toPlaced(records);
      if (!place) continue;
      const held = { holder, place };
      if (!records[1]) return held;
      const count = countNames(records);
      if (!fewest || count < fewest.count) fewest = { held, count };
    }
    if (fewest) return fewest.held;
    throw toMissing(first.about, "CLIENT_RECORD_CHANGED");
  }

  const assign = async ({ holder, place }: Held) =>
    assignNames(place, await known.listHeads(holder), holder.about);

  const toWanted = ({ holder, place }: Held, part: number): RecordingRequest => ({
    ...toPart(holder.which, part),
    owner: toOwner(place.own),
  });

  async function of(record: OwnerRecord, more: CallOptions = {}): Promise<OwnRecording[]> {
    if (countNames([record]) === 0) return [];
    const held = await hold(record, toCallOptions(more));
    return (await assign(held)).flatMap((one, index) => {
      if (!(one instanceof Error))
        return { ...one.announced, wanted: toWanted(held, one.part), number: index + 1 };
      // A name without a file, or the second part of a split name, is not a recording.
      if (one instanceof NotFoundError) return [];
      throw one;
    });
  }

  async function findOfRecord({ record, number = 1, ...more }: RecordingOfRecord) {
    const held = await hold(record, more);
    // A single recording cannot be confused with another.
    const { own, others } = held.place;
    const isSingle = !others[0] && [record, own].every((one) => countNames([one]) <= 1);
    if (isSingle && number === 1) return toWanted(held, 1);
    const found = (await assign(held))[number - 1] ?? toMissing(held.holder.about);
    if (found instanceof Error) throw found;
    return toWanted(held, found.part);
  }

  async function findByName({ filename, ...which }: NamedRecording): Promise<RecordingRequest> {
    const holder = toHolder(which);
    const { heads, isPartIgnored } = await known.listHeads(holder);
    const name = toFilename(filename);
    const named = heads.filter(({ announced }) => announced.filename === name);
    if (named[1] || (named[0] && isPartIgnored)) throw toAmbiguous(holder.about, "several");
    if (named[0]) return { ...toPart(which, named[0].part), owner: named[0].announced.owner };
    const refused = heads.find(({ refusal }) => refusal);
    if (refused) throw refused.refusal;
    if (heads.some(({ announced }) => announced.filename)) throw toMissing(holder.about);
    throw new ProtocolError("The service sends no names of recordings: use part", holder.about);
  }

  return {
    of,
    find: (wanted) => ("record" in wanted ? findOfRecord(wanted) : findByName(wanted)),
    forget({ call_id, ref_id }, { headers }) {
      if (call_id !== null) known.forget(toKey({ call_id, headers }));
      if (ref_id !== null) known.forget(toKey({ ref_id, headers }));
    },
  };
}

/** Cached responses are shared by all requests with the same headers. */
const toKey = ({ call_id, ref_id, headers }: RecordingRequest): string =>
  JSON.stringify([call_id, ref_id, headers]);
