// An exported folder as the source of a search, by its index and its records, without the service.
import { joinAll, type Test, toJudge } from "@call-media/conditions";
import type { Field } from "@call-media/handover";
import { setImmediate } from "node:timers/promises";
import type { CallRecord } from "@call-media/client";
import { console, type ProgressLine, toCounted, UsageError } from "@call-media/terminal";
import { openFolder, type SearchedFolder } from "../index/open-folder.ts";
import { toUnsearched, toUpdateWords, warnOfUnreadable } from "../index/summary.ts";
import { countFound, toGroup } from "./counting.ts";
import { type FilterFlags, checkOrder, readValues, refuseFilters, toFlag } from "./filters.ts";
import type { Found } from "./found.ts";
import { explainTyped, WHOLE } from "./nothing-found.ts";
import type { Asked, Source } from "./source.ts";
import type { Where } from "./where.ts";
import { listOperatorHints } from "./wider.ts";
import type { WantedWords } from "./words.ts";
import { createDayOf, createDayTest } from "./zoned.ts";

type Flags = FilterFlags & {
  readonly in: string;
  readonly groupBy?: Field | "day";
  readonly where?: Where;
  readonly tz?: string;
};

/** @throws UsageError that names an option, for example one that the files cannot answer. */
export async function openFolderSource(
  flags: Flags,
  words: WantedWords | undefined,
  { ids, signal, progress }: Asked & { readonly progress: ProgressLine },
): Promise<Source> {
  const { in: path, from = "", to = "9999", groupBy } = flags;
  checkOrder(from, to);
  if (ids !== undefined) refuseFilters(flags);
  const filter = readValues(flags);
  const folder = await openFolder(path, {
    signal,
    onProgress: (documents) =>
      progress.show(
        `${toCounted(documents, "record or transcript", "records and transcripts")} indexed`,
      ),
    onUpdate: ({ added }, index) => console.info(toUpdateWords(path, added, index)),
  });
  progress.show("");
  try {
    checkFields(folder, flags, Object.keys(filter));
  } catch (error) {
    await folder[Symbol.asyncDispose]();
    throw error;
  }
  warnOfUnreadable(folder, path);
  const archiveZone = () => folder.archiveTimeZone;
  // Days are those of the archive (D06), unless another zone is requested.
  const dayOf = createDayOf({ timeZone: flags.tz ?? archiveZone(), archiveZone });
  const isOfDays = createDayTest(flags, dayOf);
  const hasValues = toFilterTest(filter);
  const isMet = (record: CallRecord) => isOfDays(record) && hasValues(record);
  const unsearched = words === undefined ? undefined : toUnsearched(folder, path);
  if (unsearched !== undefined) console.info(unsearched);
  const open = () =>
    ids === undefined
      ? toFound(folder.find(words?.query), isMet, signal)
      : findIds(folder, ids, signal);
  return {
    archiveZone,
    condition: flags.where?.condition,
    open,
    async count(counting) {
      const toValue = (record: CallRecord) => {
        if (groupBy === undefined) return null;
        return groupBy === "day" ? dayOf(record) : toGroup(record, groupBy);
      };
      const counted = await countFound(open(), counting, { by: groupBy, toValue });
      return groupBy === undefined ? { ...counted, groups: undefined } : counted;
    },
    listHints: async () => listOperatorHints(words?.search.words ?? ""),
    explain: async (came) =>
      explainTyped({ came, wanted: { filter, words: words?.search.words } }) ?? WHOLE,
    readChatText: folder.readChatText,
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}

/** Compares values like a service (D08). */
function toFilterTest(filter: Readonly<Record<string, unknown>>): (record: CallRecord) => boolean {
  const tests = Object.entries(filter).map(([field, value]): Test => {
    const wanted = typeof value === "number" ? value : String(value);
    return { field, comparison: "==", value: wanted };
  });
  const judge = toJudge(joinAll(tests));
  return (record) => judge(record, undefined) === true;
}

/** @throws UsageError for an option whose field is missing or masked in the records. */
function checkFields(
  { fields, masked, records }: SearchedFolder,
  { in: path, from, to, groupBy, where }: Flags,
  filtered: readonly string[],
): void {
  const byDay = from !== undefined || to !== undefined ? [["the days", "datetime"] as const] : [];
  const grouped = groupBy === "day" ? "datetime" : groupBy;
  const needed = [
    ...byDay,
    ...filtered.map((field) => [toFlag(field), field] as const),
    ...(grouped === undefined ? [] : [["--group-by", grouped] as const]),
    ...(where?.fields.map((field) => ["--where", field] as const) ?? []),
  ];
  for (const [option, field] of needed) {
    if (masked.some((one) => one === field))
      throw new UsageError(`${option}: ${path} masks ${field}, so that nothing can be found by it`);
    if (records > 0 && !fields.has(field))
      throw new UsageError(
        `${option}: no record of ${path} has ${field}; an export without --columns has every field`,
      );
  }
}

function toFound(
  found: Iterable<readonly CallRecord[]>,
  isMet: (record: CallRecord) => boolean,
  signal: AbortSignal,
): Found {
  const report = createReport();
  return {
    report,
    async *pages() {
      for (const batch of found) {
        signal.throwIfAborted();
        const records = batch.filter(isMet);
        report.rows += records.length;
        yield { records };
        await setImmediate(); // lets signals through
      }
    },
  };
}

function findIds(folder: SearchedFolder, ids: readonly string[], signal: AbortSignal): Found {
  const missing: string[] = [];
  const found = toFound(toRecords(), () => true, signal);
  function* toRecords() {
    for (const id of ids) {
      const records = folder.findCall(id);
      if (records.length === 0) missing.push(id);
      else yield records;
    }
  }
  return { ...found, missing };
}

const createReport = () => ({
  rows: 0,
  duplicates: 0,
  windows: [],
  verdict: "complete" as const,
});
