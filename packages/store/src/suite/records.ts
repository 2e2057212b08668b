// Records for tests, with the fields that a test names and the others empty, and functions to import them.
import { type components, document, fieldsOf } from "@call-media/api";
import type {
  ArchiveItem,
  CallItem,
  CallSearch,
  CallStore,
  ChatMessageRecord,
  FlagRecord,
  MetadataRecord,
  Outcome,
  Recording,
  UserRecord,
} from "../index.ts";

export interface CallExtras {
  readonly sessionId?: string;
  readonly masterId?: string;
  readonly revisedMs?: number;
  readonly identity?: readonly (string | null)[];
  readonly recordings?: readonly Recording[];
  readonly keepsRecordings?: boolean;
}

export function toRecord(fields: Partial<MetadataRecord>): MetadataRecord {
  return { ...(toEmpty(["MetadataRecord"]) as MetadataRecord), ...fields };
}

export function call(fields: Partial<MetadataRecord>, extras: CallExtras = {}): CallItem {
  return { kind: "call", record: toRecord(fields), recordings: [], ...extras };
}

/** A user with that id who may see everything; `fields` may remove rights. */
export function toUser(id: number, fields: Partial<UserRecord> = {}): UserRecord {
  const rights = fieldsOf("UserSecurityRecord").filter((field) => field.startsWith("allow_all_"));
  return {
    ...(toEmpty(["UserBasicRecord", "UserAddressRecord", "UserSecurityRecord"]) as UserRecord),
    id,
    username: `user${id}`,
    status: 1,
    created_date: "2025-01-01T00:00:00Z",
    ...Object.fromEntries(rights.map((right) => [right, true])),
    ...fields,
  };
}

export function message(call_id: string, transcript: string, datetime: string): ChatMessageRecord {
  return { call_id, transcript, datetime, party_type: "agent", label: null, room_id: "room" };
}

export function flag(Id: number, Type: FlagRecord["Type"], Name: string): FlagRecord {
  return {
    Id,
    Type,
    Name,
    DateCreated: "2025-01-01T00:00:00Z",
    DateModified: "2025-01-01T00:00:00Z",
  };
}

/** A search over the years of the tests that sees everything and counts. */
export function query(search: Partial<CallSearch>): CallSearch {
  return {
    filter: {},
    startDate: "2020-01-01",
    endDate: "2029-12-31",
    pageIndex: 0,
    visibility: "everything",
    isCounted: true,
    ...search,
  };
}

/** Imports each item as a separate row, in one run. */
export async function fill(store: CallStore, items: readonly ArchiveItem[]): Promise<Outcome[]> {
  return await fillRows(
    store,
    items.map((item) => [item]),
  );
}

export async function fillRows(
  store: CallStore,
  rows: readonly (readonly ArchiveItem[])[],
): Promise<Outcome[]> {
  await using session = await store.openImport();
  return await session.write(rows);
}

/** Stores a recording of that content, to be imported with a call. */
export async function addRecording(
  store: CallStore,
  { filename, content }: { readonly filename: string; readonly content: string },
): Promise<Recording> {
  const media = await store.media.put({
    name: filename,
    content: new TextEncoder().encode(content),
  });
  return { filename, media };
}

const EMPTY: Readonly<Record<string, unknown>> = {
  string: "",
  integer: 0,
  boolean: false,
  array: [],
};

/** Every field of the schemas, empty. */
function toEmpty(schemas: readonly (keyof components["schemas"])[]): object {
  const fields = schemas.flatMap((name) =>
    Object.entries(document.components.schemas[name]?.properties ?? {}),
  );
  const values = fields.map(([field, { type }]) => [field, EMPTY[String(type)] ?? null]);
  return Object.fromEntries(values);
}
