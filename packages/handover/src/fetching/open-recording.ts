// Finds the recordings of a record among those of its call: by their number, and by their name if the service gives it.
import { type CallRecord, NotFoundError, type RecordingStream } from "@call-media/client";
import { MASK } from "../masking/mask.ts";
import { type CallSelector, type FetchContext, findOffset, listLegs } from "./legs.ts";
import { rejoinNames, toRecordingNames } from "./recording-names.ts";

/** The greatest `part` that the contract accepts. No call has as many recordings. */
export const MAX_PART = 10_000;

/** A recording that is being received. */
export interface OpenedRecording {
  readonly stream: RecordingStream;
  /** As the service counts the recordings of the call. */
  readonly part: number;
}

/** Where a recording stands. */
export interface Numbered {
  readonly record: CallRecord;
  /** From 1, of this record. */
  readonly part: number;
  /**
   * How many recordings of the call come before the first of this record: those of earlier legs. Undefined where the export
   * may not have all of them.
   */
  readonly offset: number | undefined;
}

/** The name that the record gives one of its recordings; undefined where it gives none, or it is masked. */
export const toRecordingName = (record: CallRecord, part: number): string | undefined =>
  toNames(record)[part - 1];

const toNames = ({ recordings }: CallRecord) =>
  recordings === MASK ? [] : toRecordingNames(recordings);

/** No recording of that name among those of the call. */
export class NoSuchRecording extends Error {
  override readonly name = "NoSuchRecording";
}

export const NOTHING_GIVEN = "the service gives nothing for it";

/** An apparent name in the record's list may be the rest of the one before it. */
export class RestOfName extends Error {
  override readonly name = "RestOfName";
}

/**
 * Finds the recording by the name in the record, in whatever order the service counts them.
 *
 * @throws NoSuchRecording, RestOfName, the errors of a call.
 */
export async function openRecording(
  work: FetchContext,
  which: CallSelector,
  { record, part, offset }: Numbered,
): Promise<OpenedRecording> {
  const names = toNames(record);
  const isIt = (filename: string) => rejoinNames(names, [filename])[part - 1] === filename;
  const number = (offset ?? (await findOffset(work, which, record))) + part;
  const first = await tryPart(work, which, number);
  const isRefused = first instanceof NotFoundError;
  const given = isRefused ? undefined : first.stream.filename;
  const isSettled = isRefused ? number === 1 : given === undefined || isIt(given);
  if (names.length === 0 || isSettled) return orThrow(first);
  const siblings = await listSiblings(work, which);
  if (!isRefused) {
    // A name of its own that no record has: there is nothing to go by but the number.
    if (!rejoinNames(siblings, [given]).includes(given)) return first;
    await first.stream.body.cancel();
  }
  // By reference the siblings are unknown, but not the recordings before it.
  const count = Math.max(siblings.length, number - 1);
  const { found, others } = await find(work, which, { count, isIt });
  if (found !== undefined) return found;
  if (rejoinNames(names, others)[part - 1] === undefined) throw new RestOfName();
  throw isRefused ? first : new NoSuchRecording(`the service gives ${given} instead`);
}

function orThrow(found: OpenedRecording | NotFoundError): OpenedRecording {
  if (found instanceof NotFoundError) throw found;
  return found;
}

interface Wish {
  readonly count: number;
  readonly isIt: (filename: string) => boolean;
}

/** Looks at one after the other; `others` are the names of those that it is not. */
async function find(work: FetchContext, which: CallSelector, { count, isIt }: Wish) {
  const others: string[] = [];
  for (let number = 1; number <= count; number++) {
    const one = await tryPart(work, which, number);
    if (one instanceof NotFoundError) break;
    const { filename, body } = one.stream;
    if (filename !== undefined && isIt(filename)) return { found: one, others };
    await body.cancel();
    if (filename === undefined) break;
    others.push(filename);
  }
  return { found: undefined, others };
}

/** True if the service supports `part`, and so has no recording of that number. */
export async function knowsParts(work: FetchContext, which: CallSelector): Promise<boolean> {
  const last = await tryPart(work, which, MAX_PART);
  if (last instanceof NotFoundError) return true;
  await last.stream.body.cancel();
  return false;
}

/** Tries a number; returns the service's error if it does not have that. */
async function tryPart(
  { client, signal }: FetchContext,
  which: CallSelector,
  part: number,
): Promise<OpenedRecording | NotFoundError> {
  // A service that knows no parts might refuse the parameter.
  const query = part === 1 ? {} : { part };
  try {
    const opening = client.recordings.stream({ ...which, ...query, signal });
    const { data: stream, response } = await opening.withResponse();
    // RFC 9110, 15.3.5: it would be a file without a byte.
    if (response.status === 204) throw new NoSuchRecording(NOTHING_GIVEN);
    return { stream, part };
  } catch (error) {
    if (error instanceof NotFoundError) return error;
    throw error;
  }
}

/** Names of all recordings of the call. */
async function listSiblings(work: FetchContext, which: CallSelector): Promise<readonly string[]> {
  return (await listLegs(work, which)).flatMap(({ recordings }) => toRecordingNames(recordings));
}
