// Which right of a user restricts which field of a record (D21), read from the document.
import { document } from "./document.ts";
import type { Schema } from "./operations.ts";

type Right = keyof Schema<"UserSecurityRecord">;

/** A record may be seen when for every one of these `allowAll` is true, or the value of `field` is in `allowed`. */
export interface RecordRight {
  readonly allowAll: Extract<Right, `allow_all_${string}`>;
  readonly allowed: Extract<Right, `allowed_${string}`>;
  readonly field: keyof Schema<"MetadataFilter"> | keyof Schema<"CustomFieldsFilter">;
}

/** The ten rights on records, in the order of the contract (D21). */
export const recordRights: readonly RecordRight[] = Object.entries(
  document.components.schemas.UserSecurityRecord?.properties ?? {},
).flatMap(([allowed, { "x-restricts": field }]) =>
  field === undefined
    ? []
    : // A test holds the names to those of the contract.
      [{ allowAll: allowed.replace("allowed_", "allow_all_"), allowed, field } as RecordRight],
);
