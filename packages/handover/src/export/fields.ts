// The fields of a record in the order of the contract, from a part of it that is small enough for a page to load.
import { toMetadataRecord } from "@call-media/api/metadata-record";
import type { CallRecord } from "@call-media/client";

export type Field = keyof CallRecord;

/** The generated function names every field, whatever its values. */
export const RECORD_FIELDS = Object.keys(toMetadataRecord([])) as readonly Field[];
