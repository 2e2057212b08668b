// Fills what rows of an earlier version lack, apart from the digests of schema/digested.ts.
import type { DatabaseSync } from "node:sqlite";
import { fillSums } from "../segment-index/segment-index.ts";

/** Must be called in a transaction. */
export function fillEarlier(database: DatabaseSync): void {
  database.exec(
    "UPDATE recording SET digest = row_digest(part, sha256, type, modified_ms) WHERE digest IS NULL",
  );
  fillSums(database);
}
