// Writing calls: whether one is new, is there already, or takes the place of others.
import type { DatabaseSync } from "node:sqlite";
import type { CallItem, MetadataRecord, Outcome } from "../../port/index.ts";
import { parseDatetime } from "../../values/instant.ts";
import { createRecordForm } from "../call-row.ts";
import { toInstantMs, toLastId } from "../../values/order-key.ts";
import { toCallDigest } from "../../values/call-digest.ts";
import {
  createIdentifier,
  type Identify,
  toJson,
  toStoredIdentity,
} from "../../values/identity.ts";
import { createIdSource } from "./call-ids.ts";
import { createCallRowWriter, type NewRow } from "./call-row-writer.ts";
import { createKeptRecordings, type KeptRecordings } from "./kept-recordings.ts";
import { createPredecessors, type Found, type Predecessors } from "./predecessors.ts";
import { withFileNames } from "../../values/recording-names.ts";
import { RowRejected } from "../../values/row-rejected.ts";

/** The outcome for an item that was accepted. */
export type Written = Extract<Outcome, string>;

interface Means {
  readonly database: DatabaseSync;
  readonly predecessors: ReturnType<typeof createPredecessors>;
  readonly kept: KeptRecordings;
  readonly rows: ReturnType<typeof createCallRowWriter>;
  readonly identify: Identify;
}

export function createCallWriter(database: DatabaseSync, timeZone: string) {
  const means: Means = {
    database,
    predecessors: createPredecessors(database),
    kept: createKeptRecordings(database),
    rows: createCallRowWriter(database),
    identify: createIdentifier(timeZone),
  };
  const { predecessors, kept, rows } = means;
  const recognise = createRecogniser(means);
  const put = createPut(means);

  return {
    /** `others` are the further calls of the same row of a source. Throws `RowRejected`, and has written nothing then. */
    write: (given: CallItem, others: readonly CallItem[] = []): Written => {
      const instantMs = readInstantMs(given.record, timeZone);
      const { row, found } = recognise(given, instantMs);
      if (found === "superseded") return "unchanged";
      if (found === "unchanged") rows.keepRecordings(row);
      else {
        if (!others.some(({ keepsRecordings }) => keepsRecordings))
          kept.check({ items: [row.item, ...others], instantMs }, found.replaced);
        put(row, found, instantMs);
      }
      predecessors.keepRevision(row.item);
      if (found === "unchanged") return found;
      return found.replaced.length > 0 ? "replaced" : "imported";
    },
    changes: rows.changes,
  };
}

interface Recognised {
  readonly row: NewRow;
  readonly found: Found;
}

/** Makes a function that returns a call with the recordings that it keeps, and the records it finds in the archive. */
function createRecogniser({ database, predecessors, kept, identify }: Means) {
  const form = createRecordForm(database);
  const find = (given: CallItem, instantMs: number | undefined): Recognised => {
    const item = withFileNames(given, instantMs);
    const stored = form.toStored(item.record);
    const digest = toCallDigest(item, stored);
    const wanted = identify(item, instantMs);
    const found = predecessors.find(item, digest, wanted);
    const same = typeof found === "object" ? found.same?.identity : undefined;
    const number = item.identity === undefined ? null : toJson(item.identity);
    const identity = wanted === undefined ? number : toStoredIdentity(wanted, same);
    return {
      row: { item, stored, marks: { callId: item.record.call_id, identity, digest } },
      found,
    };
  };

  return (given: CallItem, instantMs: number | undefined): Recognised => {
    const wanted = identify(given, instantMs);
    const keeps = wanted !== undefined && given.keepsRecordings === true;
    const first = find(keeps ? kept.ofSame(given, wanted) : given, instantMs);
    if (typeof first.found === "string" || wanted === undefined) return first;
    const comesAgain = first.found.replaced.length > 0 || kept.hasGone(given);
    const named = comesAgain ? kept.ofNames(first.row.item, wanted) : undefined;
    return named === undefined ? first : find(named, instantMs);
  };
}

/** Makes a function that writes a call in the place of others, if there are any. */
function createPut({ database, kept, rows }: Means) {
  const ids = createIdSource(database);
  return (row: NewRow, { replaced, same }: Predecessors, instantMs: number | undefined): void => {
    // Most instants have one call: asking first which ids are taken would cost a third of its time again.
    const isFirst = instantMs !== undefined && replaced.length === 0;
    if (isFirst && rows.add(toLastId(instantMs), row)) return;
    const isKept = same !== undefined && toInstantMs(same.id) === instantMs;
    const id = isKept ? same.id : ids.next(instantMs);
    if (row.item.revisedMs !== undefined) kept.remember(row.item, replaced);
    for (const gone of replaced) rows.remove(gone.id);
    rows.add(id, row);
  };
}

function readInstantMs({ datetime }: MetadataRecord, timeZone: string): number | undefined {
  if (datetime === null) return undefined;
  const parsed = parseDatetime(datetime, timeZone);
  if (typeof parsed === "string") throw new RowRejected(`datetime: ${parsed}`);
  return parsed.instantMs;
}
