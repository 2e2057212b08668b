// Names damaged records for an operator: by their identifiers, without any other content.
import { isFault, StoreFault } from "../port/faults.ts";

/** The result of `read`; undefined if it is unreadable or damaged. */
export function readWhole<T>(
  read: () => T,
  isWhole: (found: T) => boolean = () => true,
): T | undefined {
  try {
    const found = read();
    return isWhole(found) ? found : undefined;
  } catch (error) {
    if (isFault(error, "damaged")) return undefined;
    throw error;
  }
}

/** `name`: from the functions below. */
export const notWritten = (name: string) =>
  new StoreFault("damaged", `${name} is not what was imported`);

/** For rows that do not come from imports. */
export const notAsWritten = (name: string) =>
  new StoreFault("damaged", `${name} is not what was written: restore the last backup elsewhere`);

/** The default of a list for damaged rows: it stops. */
export const stopAtDamaged = (name: string): never => {
  throw notAsWritten(name);
};

export function nameDamagedCall(callId: string | null, refId: string | null): string {
  if (callId !== null) return `call_id ${callId}`;
  return refId === null ? "a call without call_id and ref_id" : `ref_id ${refId}`;
}

/** By the names of tables, with columns that both adapters name the same. */
const NAMES: Readonly<Record<string, (row: Row) => string>> = {
  setting: ({ name }) => `the setting ${String(name)}`,
  record_field: ({ place, name }) =>
    `the name of the field ${String(place)}, ${JSON.stringify(name)},`,
  call_span: ({ number }) => `the span of time ${String(number)} of the look-ups by reference`,
  month: ({ number }) => `the month ${String(number)} of the calls`,
  call_revision: (row) => `the revision of the call ${String(row["call_id"] ?? row["name"])}`,
  media: ({ sha256 }) => `the row of the recording ${toText(sha256)}`,
  tombstone: ({ mark }) => `the tombstone ${toText(mark)}`,
  act: ({ id }) => `the command ${String(id)} that wrote records`,
  version: ({ kind, name, id }) =>
    `an earlier state (${String(id)}) of ${kind === "call" ? "the call" : `the ${String(kind)}`} ${String(name)}`,
  version_recording: ({ version, part }) =>
    `the recording ${String(part)} of an earlier state (${String(version)})`,
  hold: ({ name }) => `the hold ${String(name)}`,
  held: (row) => `a call that the hold ${String(row["hold"])} keeps`,
  owed: () => "a call that is owed an erasure",
  owed_reference: () => "a reference that is owed an erasure",
  application: (row) => `the application ${String(row["secret_id"])}`,
  bearer: ({ kind, id }) => `the ${kind === "key" ? "API key" : String(kind)} ${String(id)}`,
};

type Row = Readonly<Record<string, unknown>>;

const toText = (mark: unknown) =>
  mark instanceof Uint8Array ? Buffer.from(mark).toString("hex") : String(mark);

/** A row of a table whose rows have a digest of all their columns. */
export const nameDigested = (table: string, row: object): string =>
  NAMES[table]?.({ ...row }) ?? `a row of the table ${table}`;

export const nameDamagedPerson = (table: "user" | "flag", id: unknown) => `${table} ${String(id)}`;

export const nameDamagedMessage = (callId: unknown): string =>
  nameMessageOf(typeof callId === "string" ? nameDamagedCall(callId, null) : "no call");

/** `call`: from `nameDamagedCall`. */
export const nameMessageOf = (call: string): string => `a chat message of ${call}`;
