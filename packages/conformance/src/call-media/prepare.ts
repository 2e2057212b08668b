// Gives the laws what was found in an archive: its widest search, and the paths of its recordings, chats and shared identifiers.
import { isObject, type JsonObject } from "@call-media/contract-diff";
import { findCover, isUnknown } from "../laws/covers.ts";
import type { FoundList, Run as KitRun } from "../run.ts";
import { readAll } from "../values/lists.ts";
import { impossible } from "./archive/records.ts";
import type { Sample } from "./archive/sample.ts";
import { searchOf } from "./archive/window.ts";
import { findCommonFilter } from "./checks/filter-values.ts";
import { findAlone } from "./checks/recordings.ts";
import { RECORDINGS } from "./operations.ts";
import type { Run } from "./run.ts";

export async function fillFound(run: Run, sample: Sample): Promise<void> {
  const { found } = run.kit;
  for (const [id, paths] of await listPaths(run, sample)) found.paths.set(id, paths);
  found.lists.set("searchMetadataByCustomFields", toList(sample));
  await findSearch(run.kit);
  const unknown = { call_id: impossible(run), ref_id: impossible(run), user_id: NO_USER };
  for (const [name, value] of Object.entries(unknown)) found.unknown.set(name, value);
}

/** Every language can parse it, and no archive has it. */
const NO_USER = 2_147_480_017;

// The result of a lookup by reference does not depend on the file format.
const MAX_BY_REFERENCE = 2;
const MAX_STREAMS = 5;
const MAX_SHARED = 2;

/** Recordings are at the paths found in the archive. Identifiers with several records show an order. */
async function listPaths(run: Run, sample: Sample) {
  const alone = await findAlone(run, sample);
  const byCall = sample.recordings.slice(0, MAX_STREAMS).map(({ callId }) => ({ call_id: callId }));
  const byReference = alone
    .slice(0, MAX_BY_REFERENCE)
    .map(({ record }) => ({ ref_id: record?.["ref_id"] }));
  return [
    ...RECORDINGS.map((id) => [id, id.endsWith("Reference") ? byReference : byCall] as const),
    ["getChatByCallId", sample.chats.map(({ callId }) => ({ call_id: callId }))] as const,
    ["getMetadataByCallId", listSharedPaths(sample, "call_id")] as const,
    ["getMetadataByReference", listSharedPaths(sample, "ref_id")] as const,
  ];
}

const listSharedPaths = ({ window }: Sample, name: string): JsonObject[] =>
  listShared(window?.records ?? [], name)
    .slice(0, MAX_SHARED)
    .map((id) => ({ [name]: id }));

const listShared = (records: readonly JsonObject[], field: string): string[] =>
  [...Map.groupBy(records, (record) => record[field])].flatMap(([id, { length }]) =>
    length > 1 && typeof id === "string" && id !== "" ? [id] : [],
  );

/** The records of the window. Those with a recording or a shared identifier come first: they are the most informative. */
function toList({ window, recordings }: Sample): FoundList {
  const records = window?.records ?? [];
  const shared = new Set<unknown>(
    listShared(records, "call_id").concat(listShared(records, "ref_id")),
  );
  const isShared = ({ call_id: call, ref_id: ref }: JsonObject) =>
    shared.has(call) || shared.has(ref);
  const recorded = recordings.flatMap(({ record }) => record ?? []);
  const rows = [...new Set([...recorded, ...records.filter(isShared), ...records])];
  const query = window === undefined ? {} : (searchOf(window.search, window.base).query ?? {});
  return { path: {}, query, rows, isWhole: window?.isWhole === true, epoch: 0, isGiven: true };
}

/** A search by a filter that matches many records, of which the second caller may see some, but not all. */
async function findSearch(kit: KitRun): Promise<void> {
  const { found } = kit;
  const list = found.lists.get("searchMetadataByCustomFields");
  const records = (list?.rows ?? []).filter(isObject);
  const isCovered = list?.isWhole === true ? await findCovered(kit) : undefined;
  const filter =
    (isCovered &&
      findCommonFilter(
        records.filter(isCovered),
        records.filter((record) => !isCovered(record)),
      )) ??
    findCommonFilter(records);
  if (list === undefined || filter === undefined) return;
  const fields = Object.entries(filter).map(([name, value]) => [`body/${name}`, value] as const);
  const query = { ...list.query, ...Object.fromEntries(fields) };
  const { rows, isWhole } = await readAll(kit, { operation: "searchMetadata", query });
  found.lists.set("searchMetadata", { ...list, query, rows, isWhole });
}

/** A test whether the second caller may see a record. Undefined without such a caller, or if their rights are unknown. */
async function findCovered(kit: KitRun): Promise<((record: unknown) => boolean) | undefined> {
  const rule = kit.ruleOf("perCaller", "searchMetadata");
  const { second } = kit.callers;
  if (rule === undefined || second === undefined) return undefined;
  const cover = await findCover(kit, rule, second);
  return isUnknown(cover) ? undefined : cover.toTest("searchMetadata");
}
