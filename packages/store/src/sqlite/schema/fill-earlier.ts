// What the rows of an archive of an earlier version lack beside the digests of schema/digested.ts.
import type { DatabaseSync } from "node:sqlite";
import { fillSums } from "../segment-index/segment-index.ts";

/** In a transaction of the caller's. */
export function fillEarlier(database: DatabaseSync): void {
  database.exec(
    "UPDATE recording SET digest = row_digest(part, sha256, type, modified_ms) WHERE digest IS NULL",
  );
  fillSums(database);
}
