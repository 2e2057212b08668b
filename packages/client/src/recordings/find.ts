// Finds the recordings of a record among those of its call. In which order a service counts those of several records, only the
// service knows: a recording is the record's own if nothing else has the identifier, or if no other record lists its name.
import { type ErrorSubject, InvalidRequestError, NotFoundError, ProtocolError } from "../errors.ts";
import type { CallRecord } from "../search/keys.ts";
import { type Announced, toFilename } from "./recording-headers.ts";
import { rejoinNames, toRecordingNames } from "./recording-names.ts";

/** What tells a record from the others of its call. */
export type OwnerRecord = Pick<
  CallRecord,
  "call_id" | "ref_id" | "datetime" | "agent" | "recordings"
>;

/** What the service announced of one recording. */
export interface Head {
  readonly announced: Announced;
  readonly about: ErrorSubject;
}

/** What one identifier stands for in the service. Both functions throw the errors of a call. */
export interface Holder {
  readonly listRecords: () => Promise<readonly OwnerRecord[]>;
  /** `part` as the service counts, from 1. */
  readonly askHead: (part: number) => Promise<Head>;
  /** For errors that no request is the cause of. */
  readonly about: ErrorSubject;
}

/** A record among those of a holder. */
interface Place<Of extends Holder> {
  readonly holder: Of;
  /** Names of its recordings. */
  readonly names: readonly string[];
  /** Names of those of the other records. */
  readonly others: readonly string[];
  /** How many recordings come before its own, unless their own starts say otherwise (D17). */
  readonly before: number;
  /** How many there may be in all. */
  readonly total: number;
  readonly isAlone: boolean;
}

export interface Found<Of extends Holder> {
  readonly holder: Of;
  readonly part: number;
}

/** The greatest `part` of the contract. No call has as many recordings. */
const MAX_PART = 10_000;

/**
 * Finds the recording that a record lists as its `number`th, by the first identifier that tells it from others.
 *
 * @throws CallMediaError
 */
export async function findOfRecord<Of extends Holder>(
  record: OwnerRecord,
  number: number,
  holders: readonly [Of, ...Of[]],
): Promise<Found<Of>> {
  const places: Place<Of>[] = [];
  for (const holder of holders) {
    const place = toPlace(holder, record, await holder.listRecords());
    if (place?.isAlone) return findIn(place, number);
    if (place) places.push(place);
  }
  const name = toNames(record)[number - 1] ?? "";
  const telling = places.find(({ others }) => !others.includes(name));
  if (telling) return findIn(telling, number);
  const [holder] = holders;
  throw places[0] ? toAmbiguous(holder) : toUnknown(holder, "CLIENT_RECORD_CHANGED");
}

/**
 * Finds the recording of a name, whichever record lists it.
 *
 * @throws CallMediaError
 */
export async function findByName<Of extends Holder>(
  filename: string,
  holder: Of,
): Promise<Found<Of>> {
  const records = await holder.listRecords();
  const name = toFilename(filename);
  const owners = records.flatMap((record) => {
    const names = toNames(record);
    const whole = rejoinNames(
      names,
      names.map(() => name),
    );
    return whole.flatMap((one, index) => (one === name ? [{ record, number: index + 1 }] : []));
  });
  if (owners[1]) throw toAmbiguous(holder);
  const [owner] = owners;
  const place = owner && toPlace(holder, owner.record, records);
  if (place) return findIn(place, owner.number);
  // Without a right to recordings, or without any, the service says so.
  const { announced, about } = await holder.askHead(1);
  if (announced.filename) throw toUnknown({ about });
  throw new ProtocolError("The service sends no names of recordings: use part", about);
}

/** Undefined if the record is not there: what is there is another's. */
function toPlace<Of extends Holder>(
  holder: Of,
  record: OwnerRecord,
  records: readonly OwnerRecord[],
): Place<Of> | undefined {
  const find = (fields: readonly (keyof OwnerRecord)[]) =>
    // A service may leave out what is null.
    records.find((one) =>
      fields.every((field) => (one[field] ?? null) === (record[field] ?? null)),
    );
  const own = find([...TELLING, "recordings"]) ?? find(TELLING);
  if (!own) return undefined;
  const names = toNames(record);
  const others = records.filter((one) => one !== own).flatMap(toNames);
  // The newest record is the first (D09).
  const older = records.slice(records.indexOf(own) + 1);
  return {
    holder,
    names,
    others,
    before: older.flatMap(toNames).length,
    total: Math.max(names.length, toNames(own).length) + others.length,
    isAlone: !records[1],
  };
}

/** `recordings` may have changed meanwhile. */
const TELLING = ["datetime", "ref_id", "agent"] as const;

const toNames = ({ recordings }: OwnerRecord) =>
  toRecordingNames(recordings).map((name) => toFilename(name) ?? name);

async function findIn<Of extends Holder>(place: Place<Of>, number: number): Promise<Found<Of>> {
  const { holder, names, before, total, isAlone } = place;
  // A single recording cannot be mistaken for another.
  if (isAlone && total <= 1 && number === 1) return { holder, part: 1 };
  const guess = before + number;
  const first = await askName(holder, guess);
  if (first === undefined && !isAlone) throw toAmbiguous(holder);
  const isOnly = names.filter((name) => name === first).length === 1;
  if (first === undefined || (isOnly && first === names[number - 1]))
    return { holder, part: guess };
  const given: string[] = [];
  for (let part = 1; part <= total; part++) {
    const name = part === guess ? first : await askName(holder, part);
    if (name instanceof NotFoundError) {
      if (part === 1) throw name;
      break;
    }
    given.push(name ?? "");
  }
  const part = await choose(place, number, given);
  if (part) return { holder, part };
  throw toUnknown(holder);
}

/** `given`: the names of the recordings, as the service counts them. Undefined if it is not among them. */
async function choose(
  { holder, names, isAlone }: Place<Holder>,
  number: number,
  given: readonly string[],
): Promise<number | undefined> {
  const whole = rejoinNames(names, given);
  const name = whole[number - 1];
  if (name === undefined) throw toUnknown(holder, "CLIENT_REST_OF_NAME");
  const isIt = (one: string | undefined) => one === name;
  const parts = given.flatMap((one, index) => (isIt(one) ? [index + 1] : []));
  const part = parts[whole.slice(0, number).filter(isIt).length - 1];
  if (part === undefined) {
    // A name of its own, which no record lists: there is nothing to go by but the number.
    const other = given[number - 1];
    return isAlone && other !== undefined && !whole.includes(other) ? number : undefined;
  }
  // A service that ignores `part` gives the first for each of them.
  if (parts[1] && !((await askName(holder, MAX_PART)) instanceof NotFoundError))
    throw toAmbiguous(holder);
  return part;
}

/** Undefined if the service sends none; the error if there is no recording of that number. */
async function askName(holder: Holder, part: number): Promise<string | NotFoundError | undefined> {
  try {
    return (await holder.askHead(part)).announced.filename;
  } catch (error) {
    if (error instanceof NotFoundError) return error;
    throw error;
  }
}

const toAmbiguous = ({ about }: Holder) =>
  new InvalidRequestError(
    "Several recordings of the call could be meant, and nothing tells whose they are",
    about,
    { code: "CLIENT_AMBIGUOUS_RECORDING" },
  );

const toUnknown = ({ about }: Pick<Holder, "about">, code?: string) =>
  new NotFoundError("The call has no recording of this name", about, { status: 404, code });
