// What the archive under test holds, so that requests find something: values by field, and who asks.
import { fieldsOf } from "@call-media/api";
import type { CallStore, MetadataRecord } from "@call-media/store";

export interface Known {
  /** Values that records have, by field; `call_id` and `ref_id` among them. */
  readonly values: Readonly<Record<string, readonly string[]>>;
  /** Bearers of callers with different rights. */
  readonly bearers: readonly string[];
  readonly credentials: { readonly secretID: string; readonly secretKey: string };
}

const MAX_VALUES = 40;

export async function readValues(store: CallStore): Promise<Known["values"]> {
  const records = await readRecords(store);
  const heard = await Promise.all(records.map((record) => hasRecording(store, record)));
  // Calls that can be listened to come first.
  const sorted = [
    ...records.filter((_, at) => heard[at]),
    ...records.filter((_, at) => !heard[at]),
  ];
  const toValues = (field: keyof MetadataRecord) => {
    const given = sorted.map((record) => record[field]).filter((value) => value !== null);
    return [...new Set(given.map(String))].slice(0, MAX_VALUES);
  };
  return Object.fromEntries(fieldsOf("MetadataRecord").map((field) => [field, toValues(field)]));
}

async function hasRecording(store: CallStore, record: MetadataRecord): Promise<boolean> {
  if (record.call_id === null) return false;
  return (await store.calls.recordings({ callId: record.call_id }, "everything")).length > 0;
}

async function readRecords(store: CallStore): Promise<MetadataRecord[]> {
  const all: MetadataRecord[] = [];
  for (let pageIndex = 0, isLast = false; !isLast; pageIndex += 1) {
    const { records, hasNext } = await store.calls.search({
      filter: {},
      startDate: "2000-01-01",
      endDate: "2099-12-31",
      pageIndex,
      visibility: "everything",
      isCounted: false,
    });
    all.push(...records);
    isLast = !hasNext;
  }
  return all;
}
