// Which recordings of an identifier are a record's own, and which of its names each of them has. The service says whose a
// recording is (D38). Where it does not, or two records are alike, a name that one of them alone lists tells.
import { type ErrorSubject, InvalidRequestError, NotFoundError } from "../errors.ts";
import { type RecordingOwner, toFilename } from "./recording-headers.ts";
import { rejoinNames, toRecordingNames } from "./recording-names.ts";
import type { OwnerRecord } from "./recording-request.ts";
import type { Head, Heads } from "./recordings-of-id.ts";

/** A record among those of an identifier. */
export interface Place {
  /** As it is there now. */
  readonly own: OwnerRecord;
  /** What the record listed that was asked for. */
  readonly names: readonly string[];
  readonly others: readonly OwnerRecord[];
}

/** Undefined if the record is not there: what is there is another's. */
export function toPlace(record: OwnerRecord, records: readonly OwnerRecord[]): Place | undefined {
  const own =
    records.find((one) => isSameLeg(one, record)) ??
    // `recordings` may have changed meanwhile.
    records.find((one) => isAlike(one, record, TELLING));
  return own && { own, names: toNames(record), others: records.filter((one) => one !== own) };
}

const TELLING = ["call_id", "datetime", "ref_id", "agent"] as const;

/**
 * True if two records are the same leg of a call, by what tells a leg from the others of its call. All other fields may
 * change.
 *
 * @example
 * ```ts
 * const { data: legs } = (await client.GET("/metadata/by-call-id/{call_id}", { params: { path: { call_id } } })).data;
 * const now = legs.find((leg) => isSameLeg(leg, record));
 * ```
 */
export const isSameLeg = (one: OwnerRecord, other: OwnerRecord): boolean =>
  isAlike(one, other, [...TELLING, "recordings"]);

const isAlike = <Fields>(one: Fields, other: Fields, fields: readonly (keyof Fields)[]): boolean =>
  fields.every((field) => toText(one[field]) === toText(other[field]));

/** A service may leave out what is null, and some have numbers, whatever the contract says. */
const toText = (value: unknown) =>
  typeof value === "string" || typeof value === "number" ? String(value) : "";

export function toOwner({ call_id, ref_id, datetime }: OwnerRecord): RecordingOwner {
  return { call_id, ref_id, datetime };
}

export const isSameOwner = (one: RecordingOwner, other: RecordingOwner): boolean =>
  isAlike(one, other, ["call_id", "ref_id", "datetime"]);

const toNames = ({ recordings }: OwnerRecord): string[] =>
  toRecordingNames(recordings).map((name) => toFilename(name) ?? name);

const lists = (record: OwnerRecord, name: string): boolean =>
  rejoinNames(toNames(record), [name]).includes(name);

/** True if it is the record's, false if another's; otherwise what nothing tells it by. */
function judge(
  { announced, refusal }: Head,
  { own, others }: Place,
): boolean | Error | "unsaid" | "alike" {
  const { owner, filename } = announced;
  if (owner && !isSameOwner(owner, own)) return false;
  const rivals = owner ? others.filter((one) => isSameOwner(owner, one)) : others;
  if (!rivals[0]) return true;
  if (refusal) return refusal;
  const isListed = filename !== undefined && lists(own, filename);
  const isRival = filename !== undefined && rivals.some((one) => lists(one, filename));
  return isListed === isRival ? (owner ? "alike" : "unsaid") : isListed;
}

/** For each name that the record lists: its recording, or why it has none. */
export function assignNames(
  place: Place,
  { heads, isPartIgnored }: Heads,
  about: ErrorSubject,
): readonly (Head | Error)[] {
  const judged = heads.map((head) => ({ head, is: judge(head, place) }));
  const mine = judged.flatMap(({ head, is }) => (is === true ? head : []));
  const doubtful = judged.find(({ is }) => typeof is !== "boolean")?.is;
  const given = judged.flatMap(({ head, is }) => (is === false ? [] : head.announced.filename));
  const names = rejoinNames(place.names, given);
  const found: (Head | Error | undefined)[] = names.map((name) =>
    name === undefined ? toMissing(about, "CLIENT_REST_OF_NAME") : undefined,
  );
  const others: Head[] = [];
  // Some services list numbers or marks.
  const hasNames = mine.some(({ announced }) => names.includes(announced.filename));
  for (const head of mine) {
    const { filename } = head.announced;
    const at = names.findIndex((name, i) => !found[i] && name === filename);
    const isTwice = names.indexOf(filename) < names.lastIndexOf(filename);
    if (isPartIgnored && isTwice) found.fill(toAmbiguous(about, "unsaid"));
    else if (at >= 0) found[at] = head;
    // A name that is not the record's, or none, has nothing to go by but the order.
    else if (filename === undefined || !hasNames || !lists(place.own, filename)) others.push(head);
  }
  for (const head of others) {
    const at = found.findIndex((one) => !one);
    found[at < 0 ? found.length : at] = head;
  }
  const missing = doubtful instanceof Error ? doubtful : toMissing(about);
  return found.map(
    (one) => one ?? (typeof doubtful === "string" ? toAmbiguous(about, doubtful) : missing),
  );
}

const WHY = {
  unsaid: "records of the call share its name, and the service does not say whose it is",
  alike: "records of the call share its name, reference and datetime",
  several: "recordings of the call share its name",
};

export const toAmbiguous = (about: ErrorSubject, why: keyof typeof WHY): InvalidRequestError =>
  new InvalidRequestError(
    `Nothing tells whose the recording is: ${WHY[why]}. Ask for the recordings of the call by part`,
    about,
    { code: "CLIENT_AMBIGUOUS_RECORDING" },
  );

export const toMissing = (about: ErrorSubject, code?: string): NotFoundError =>
  new NotFoundError("The call has no recording of this name", about, { status: 404, code });
