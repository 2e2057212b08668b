// Makes the plan of `export` from its options: a new one, or the plan of the folder to resume.
import { joinAll, listCompared, printCondition } from "@call-media/conditions";
import {
  type CallSpan,
  type Days,
  DEFAULT_TEMPLATE,
  type Field,
  FILE_KINDS,
  type FileKind,
  findTemplateFault,
  listMasked,
  RECORD_FIELDS,
} from "@call-media/handover";
import { toSuggestion, UsageError } from "@call-media/terminal";
import { readFields, readFilters, type FilterFlags } from "../../search/filters.ts";
import { parseWords } from "../../search/words.ts";
import { parseWhere } from "../../search/where.ts";
import { listOpenRounds, type Plan, toRound } from "./plan.ts";
import { toSpan } from "./search-days.ts";

/** Options of `export`, except its filters. */
export interface PlanFlags {
  readonly where?: string;
  /** The content of the --ids file. */
  readonly callIds?: readonly string[];
  readonly words?: string;
  readonly format?: Plan["format"];
  readonly tz?: string;
  readonly columns?: readonly Field[];
  readonly files?: readonly FileKind[];
  readonly name?: string;
  readonly redact?: string;
  /** The content of the --mute file. */
  readonly spans?: readonly CallSpan[];
  /** What the export is for. */
  readonly for?: string;
  readonly resume?: boolean;
  /** The zip to write. */
  readonly handOver?: string;
}

/** The folder and the service of a run. */
export interface PlanPlace {
  readonly path: string;
  readonly baseUrl: string;
  readonly isOldestFirst: boolean;
}

/** @throws UsageError if the options contradict each other or the plan of the folder. */
export function toExportPlan(
  there: Plan | undefined,
  flags: PlanFlags & FilterFlags,
  place: PlanPlace,
): Plan {
  if (there !== undefined && !flags.resume) throw new UsageError(toTaken(there, place));
  if (there === undefined) return toNewPlan(flags, place);
  checkService(there, place);
  const difference = findDifference(there, flags);
  if (difference === undefined) return there;
  throw new UsageError(
    `${place.path} was begun with another ${difference}: leave it out to continue, or name another folder`,
  );
}

function toTaken(there: Plan, { path }: PlanPlace): string {
  const { from, to } = toSpan(there.rounds);
  const days = `${from} to ${to}`;
  return listOpenRounds(there).length === 0
    ? `${path} has an export already, of ${days}: call-media sync gets what is new, call-media verify checks it`
    : `${path} has an export already, of ${days}, that is not finished: --resume continues it`;
}

function toNewPlan(flags: PlanFlags & FilterFlags, place: PlanPlace): Plan {
  const { words, format = "jsonl", tz = null, name = DEFAULT_TEMPLATE } = flags;
  const { columns = null } = flags;
  const { from, to } = toDays(flags, place);
  if (tz !== null && format === "jsonl" && flags.handOver === undefined)
    throw new UsageError("--tz goes with --format csv, --format xlsx or --hand-over");
  const fault = findTemplateFault(name);
  if (fault !== undefined) throw new UsageError(fault);
  const { by, filter } = readFilters({ ...flags, from, to });
  if (words !== undefined) parseWords("--words", words);
  const redact = flags.redact === undefined ? [] : parseRedaction(flags.redact);
  const plan: Plan = {
    version: 3,
    baseUrl: place.baseUrl,
    by,
    filter,
    ...(words !== undefined && { words }),
    where: toWhere(flags) ?? null,
    ...(flags.callIds !== undefined && { ids: flags.callIds }),
    format,
    columns,
    timeZone: tz,
    archiveTimeZone: null,
    redact,
    ...(flags.spans !== undefined && { mute: flags.spans }),
    ...(flags.for !== undefined && { purpose: flags.for }),
    name,
    names: "by time",
    files: flags.files ?? (redact.length > 0 ? [] : FILE_KINDS),
    endDate: null,
    isOldestFirst: place.isOldestFirst,
    rounds: [toRound(from, to)],
  };
  checkRedaction(plan);
  return plan;
}

/** As typed. If phone number options are evaluated here, they are added to it. */
function toWhere(flags: PlanFlags & FilterFlags): string | undefined {
  const { condition: numbers } = readFields(flags);
  if (numbers === undefined) return flags.where;
  if (flags.where === undefined) return printCondition(numbers);
  return printCondition(joinAll([parseWhere(flags.where).condition, numbers]));
}

function toDays({ from, to, resume }: PlanFlags & FilterFlags, { path }: PlanPlace): Days {
  if (resume && from === undefined)
    throw new UsageError(`${path} has no export to continue: begin one with --from and --to`);
  if (from === undefined || to === undefined)
    throw new UsageError(
      "--from and --to are missing: the first and the last day; or --month, --last or --on",
    );
  return { from, to };
}

/** @throws UsageError for unknown fields, and for datetime, which the order and the folders of an export reveal. */
function parseRedaction(text: string): readonly Field[] {
  const wanted = text.split(",").map((name) => name.trim());
  for (const name of wanted)
    if (!RECORD_FIELDS.some((field) => field === name))
      throw new UsageError(
        `--redact: records have no field ${name}${toSuggestion(name, RECORD_FIELDS)}`,
      );
  if (wanted.includes("datetime"))
    throw new UsageError("--redact: datetime cannot be masked, since the days are folders");
  return listMasked({
    redact: RECORD_FIELDS.filter((field) => wanted.includes(field)),
    files: FILE_KINDS,
  });
}

/** A search by a masked field would reveal the value of each record. */
function checkRedaction(plan: Plan): void {
  const { redact, filter, where, words, files } = plan;
  if (words !== undefined && redact.length > 0)
    throw new UsageError(
      "--redact does not go with --words: a search in all texts would reveal what is masked",
    );
  const names = where === null ? [] : listCompared(parseWhere(where).condition);
  const asked = listMasked(plan).find(
    (field) => Object.hasOwn(filter, field) || names.includes(field),
  );
  if (asked !== undefined)
    throw new UsageError(`--redact masks ${asked}: a search by it would reveal what is masked`);
  const isNameless = redact.includes("call_id") || redact.includes("ref_id");
  if (isNameless && files.length > 0)
    throw new UsageError(
      "--redact call_id or ref_id goes with --files none: files belong to a call by them",
    );
}

/** @throws UsageError if the export is from another service. */
export function checkService(
  there: Plan,
  { path, baseUrl }: Pick<PlanPlace, "path" | "baseUrl">,
): void {
  if (there.baseUrl !== baseUrl)
    throw new UsageError(`${path} has an export of ${there.baseUrl}, not of ${baseUrl}`);
}

/** The first option that contradicts the plan. An option that is left out does not. */
function findDifference(plan: Plan, flags: PlanFlags & FilterFlags): string | undefined {
  const { from = plan.rounds[0]?.from ?? "", to = plan.rounds[0]?.to ?? "" } = flags;
  const { filter } = readFilters({ ...flags, from, to });
  const redact = flags.redact === undefined ? plan.redact : parseRedaction(flags.redact);
  const given: readonly (readonly [string, unknown, unknown])[] = [
    ["--from", from, plan.rounds[0]?.from],
    ["--to", to, plan.rounds[0]?.to],
    ["--words", flags.words ?? plan.words, plan.words],
    ["--ids", flags.callIds ?? plan.ids, plan.ids],
    ["--where", toWhere(flags) ?? plan.where, plan.where],
    ["--format", flags.format ?? plan.format, plan.format],
    ["--columns", flags.columns ?? plan.columns, plan.columns],
    ["--tz", flags.tz ?? plan.timeZone, plan.timeZone],
    ["--files", flags.files ?? plan.files, plan.files],
    ["--name", flags.name ?? plan.name, plan.name],
    ["--redact", redact, plan.redact],
    ["--for", flags.for ?? plan.purpose, plan.purpose],
    ["--mute", flags.spans ?? plan.mute, plan.mute],
    ["filter", Object.keys(filter).length === 0 ? plan.filter : filter, plan.filter],
  ];
  return given.find(([, one, other]) => JSON.stringify(one) !== JSON.stringify(other))?.[0];
}
