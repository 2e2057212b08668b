// The contents of an archive in memory that do not come from imports.
import type { InternalRow, Internals, InternalSetting } from "../port/index.ts";
import { checkFollows } from "../values/access-chain.ts";
import { hold, listKept, putHold } from "./holds.ts";
import type { Tables } from "./tables.ts";

export function createInternals(tables: Tables, timeZone: string): Internals {
  const write = (row: InternalRow): void => {
    const { applications, bearers, access } = tables;
    if (row.kind === "setting") set(tables, row.name, row.value);
    else if (row.kind === "application")
      applications.set(row.application.secretID, row.application);
    else if (row.kind === "bearer") bearers.set(row.bearer.hash, row.bearer);
    else if (row.kind === "tombstone") tables.tombstones.set(row.mark, row);
    else if (row.kind === "hold") putHold(tables, row);
    else if (row.kind === "held") hold(tables, row);
    else if (row.kind === "owed") tables.owed.callIds.set(row.callId, row.reason ?? null);
    else if (row.kind === "owed_reference")
      tables.owed.references.set(row.reference, row.reason ?? null);
    else {
      const { kind: _kind, ...logged } = row;
      checkFollows(logged, access.at(-1) ?? { seq: 0, hash: "" });
      access.push(logged);
    }
  };
  return {
    async *read(afterSeq = 0) {
      yield* list(tables, timeZone, afterSeq);
    },
    write: async (rows) => {
      for (const row of rows) write(row);
    },
  };
}

function* list(tables: Tables, timeZone: string, afterSeq: number): Generator<InternalRow> {
  const { archiveId, tombstoneKey, migrating, migratedAfter, owedMarks } = tables;
  yield { kind: "setting", name: "archive_id", value: archiveId };
  yield { kind: "setting", name: "tombstone_key", value: tombstoneKey };
  yield { kind: "setting", name: "time_zone", value: timeZone };
  if (tables.policy !== undefined) yield { kind: "setting", name: "policy", value: tables.policy };
  if (owedMarks !== undefined) yield { kind: "setting", name: "owed_marks", value: owedMarks };
  yield { kind: "setting", name: "migrating", value: migrating };
  yield { kind: "setting", name: "migrated_after", value: migratedAfter };
  for (const [, application] of inOrder(tables.applications, (key) => key))
    yield { kind: "application", application };
  for (const [, bearer] of inOrder(tables.bearers, (key, { kind }) => `${kind !== "key"} ${key}`))
    yield { kind: "bearer", bearer };
  for (const [mark, { untilDay, erasure }] of inOrder(tables.tombstones, (key) => key))
    yield { kind: "tombstone", mark, untilDay, erasure };
  yield* listKept(tables);
  for (const row of tables.access) if (row.seq > afterSeq) yield { kind: "access", ...row };
}

/** In the order in which the other adapters read them. */
function inOrder<Value>(
  rows: ReadonlyMap<string, Value>,
  toPlace: (key: string, value: Value) => string,
): readonly (readonly [key: string, value: Value])[] {
  return [...rows].toSorted(([a, one], [b, other]) =>
    Buffer.compare(Buffer.from(toPlace(a, one)), Buffer.from(toPlace(b, other))),
  );
}

function set(tables: Tables, name: InternalSetting, value: string): void {
  if (name === "archive_id") tables.archiveId = value;
  if (name === "tombstone_key") tables.tombstoneKey = value;
  if (name === "policy") tables.policy = value;
  if (name === "owed_marks") tables.owedMarks = value;
  if (name === "migrating") tables.migrating = value;
  if (name === "migrated_after") tables.migratedAfter = value;
}
