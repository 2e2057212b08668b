// Assigns the recordings of an identifier to a record and its names. The service says who owns a recording (D38). If it does not, or if two
// records are alike, a name that only one of them lists decides.
import { type ErrorSubject, InvalidRequestError, NotFoundError } from "../errors.ts";
import { type RecordingOwner, toFilename } from "./recording-headers.ts";
import { rejoinNames, toRecordingNames } from "./recording-names.ts";
import type { OwnerRecord } from "./recording-request.ts";
import type { Head, Heads } from "./recordings-of-id.ts";

/** A record among those of an identifier. */
export interface Place {
  /** Its current version. */
  readonly own: OwnerRecord;
  /** The names that the requested record listed. */
  readonly names: readonly string[];
  readonly others: readonly OwnerRecord[];
}

/** Undefined if the record is no longer among them: the recordings then belong to others. */
export function toPlace(record: OwnerRecord, records: readonly OwnerRecord[]): Place | undefined {
  const own =
    records.find((one) => isSameLeg(one, record)) ??
    // `recordings` may have changed meanwhile.
    records.find((one) => isAlike(one, record, TELLING));
  return own && { own, names: toNames(record), others: records.filter((one) => one !== own) };
}

const TELLING = ["call_id", "datetime", "ref_id", "agent"] as const;

/**
 * True if two records are the same leg of a call, by the fields that distinguish the legs of a call. All other fields may change.
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

/** Some services omit null fields, and some send numbers, contrary to the contract. */
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

/** True if the recording belongs to the record, false if to another one. Otherwise the reason why it is unknown. */
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

/** For each name that the record lists: its recording, or the error why it has none. */
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
  // Some services list numbers or marks instead of names.
  const hasNames = mine.some(({ announced }) => names.includes(announced.filename));
  for (const head of mine) {
    const { filename } = head.announced;
    const at = names.findIndex((name, i) => !found[i] && name === filename);
    const isTwice = names.indexOf(filename) < names.lastIndexOf(filename);
    if (isPartIgnored && isTwice) found.fill(toAmbiguous(about, "unsaid"));
    else if (at >= 0) found[at] = head;
    // Without a name that the record lists, only the order can decide.
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
