// An import into memory.
import { fieldsOf } from "@call-media/api";
import { toMetadataRecord } from "@call-media/api/metadata-record";
import type { ArchiveItem, ImportSession, ImportSessionOptions } from "../port/index.ts";
import { createMarker, createRowWriter, createRunMemory } from "../writing/row-writer.ts";
import { createHoldJudge } from "../values/holds.ts";
import { createLeaveOutDue, NOTHING_KNOWN } from "../values/import-policy.ts";
import { toTotal } from "../values/import-totals.ts";
import { UNKNOWN_WRITER } from "../values/versions.ts";
import { createJudge, keepPins } from "./holds.ts";
import type { Tables } from "./tables.ts";

export function createImportSession(
  tables: Tables,
  timeZone: string,
  { restoresErased = false, writer: given }: ImportSessionOptions,
): ImportSession {
  const { tombstoneKey, imported } = tables;
  const writer = given ?? UNKNOWN_WRITER;
  const memory = createRunMemory();
  const toMarks = createMarker({ timeZone, tombstoneKey });
  let act: number | undefined;
  const begin = (): number => {
    act = tables.acts.size + 1;
    const { operation, operator, run } = writer;
    tables.acts.set(act, {
      atMs: Date.now(),
      operation,
      operator,
      ...(run !== undefined && { run }),
    });
    return act;
  };
  const { policy } = tables;
  const leaveOut = createLeaveOutDue({ policy, timeZone, writer: given });
  const due = leaveOut && {
    leaveOut,
    // The slice is the archive.
    ...NOTHING_KNOWN,
    find: (callId: string) => ({
      ...NOTHING_KNOWN.find(callId),
      isHeld: [...tables.held.values()].some((callIds) => callIds.has(callId)),
    }),
    holds: () => createHoldJudge([...tables.holds.values()], timeZone),
  };
  const run = { timeZone, toMarks, restoresErased, memory, due };
  const rowWriter = createRowWriter(tables, run);
  return {
    leaveOutErased: async (row) => rowWriter.leaveOut(row),
    write: async (rows, refused = 0) => {
      tables.writeAs(() => act ?? begin());
      tables.judgeBy(createJudge(tables, timeZone));
      const outcomes = rows.map((row) => rowWriter.write(row.map(withAllFields)));
      keepPins(tables);
      imported.rejected += refused;
      for (const outcome of outcomes) imported[toTotal(outcome)] += 1;
      return outcomes;
    },
    [Symbol.asyncDispose]: async () => {},
  };
}

const FIELDS = fieldsOf("MetadataRecord");

/** Records are kept as they are read back: in the contract's field order, with absent and null being the same (D27). */
function withAllFields(item: ArchiveItem): ArchiveItem {
  if (item.kind !== "call") return item;
  return { ...item, record: toMetadataRecord(FIELDS.map((field) => item.record[field] ?? null)) };
}
