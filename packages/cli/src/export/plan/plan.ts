// The plan of an export, stored in its folder so that all runs do the same.
import { daysAgo, isDay } from "@call-media/client";
import { readdir, readFile } from "node:fs/promises";
import { basename } from "node:path";
import { fieldsOf } from "@call-media/api";
import {
  type CallSpan,
  FILE_KINDS,
  type FileKind,
  MANIFEST,
  METADATA,
  REPORT,
  type Field,
} from "@call-media/handover";
import { ifMissing } from "../../failures/system-error.ts";
import { UsageError } from "@call-media/terminal";
import { isTimeZone } from "../../search/time-zones.ts";
import { type ExportFolder, toStateFolder } from "../folder/export-folder.ts";
import { isLitter } from "../folder/litter.ts";
import { parseJson } from "../folder/read.ts";
import { writeDurably } from "../folder/write.ts";

/** The search and its options. All rounds of a folder share them. */
export interface Plan {
  /** Format of plan and journals. */
  readonly version: 3;
  readonly baseUrl: string;
  readonly by: "fields" | "custom fields";
  readonly filter: Readonly<Record<string, unknown>>;
  /** Words that the service searches by (D30). */
  readonly words?: string | undefined;
  /** The condition as the user wrote it, or the one of `ids`. */
  readonly where: string | null;
  /** Identifiers of the calls in the requested list. */
  readonly ids?: readonly string[] | undefined;
  readonly format: keyof typeof METADATA;
  /** Columns of the metadata, in order; null: all. */
  readonly columns: readonly Field[] | null;
  /** IANA name of the zone of dates in a spreadsheet, or of datetimes in CSV. Null: the zone of the archive, or UTC. */
  readonly timeZone: string | null;
  /** Zone of datetimes without an offset (D34); null while it is unknown. */
  readonly archiveTimeZone: string | null;
  /** Template of file names. */
  readonly name: string;
  /** Legs with the same name get `~2` and so on in this order. Missing: in the order of the search. */
  readonly names?: "by time" | undefined;
  readonly files: readonly FileKind[];
  readonly redact: readonly Field[];
  /** Spans of recordings that are muted. */
  readonly mute?: readonly CallSpan[] | undefined;
  /** What the export is for. */
  readonly purpose?: string | undefined;
  /** Whether the service includes the last day of a range; null until a record has shown it. */
  readonly endDate: "included" | "excluded" | null;
  /** Order of the service. The days are searched in the same order. */
  readonly isOldestFirst: boolean;
  /** The export, then each sync. */
  readonly rounds: readonly Round[];
}

/** Days, both included: YYYY-MM-DD in the time zone of the archive. */
export interface Round {
  readonly from: string;
  readonly to: string;
  /** The current day in UTC-12, where days end last, at the start of the round. No later day can be complete. */
  readonly asOf: string;
  /** When its first run began, in UTC. */
  readonly beganAt: string;
  readonly isDone: boolean;
}

/** The rounds that are not done. */
export const listOpenRounds = ({ rounds }: Pick<Plan, "rounds">) =>
  rounds.filter(({ isDone }) => !isDone);

export function toRound(from: string, to: string): Round {
  // The time zone in which days begin last.
  const asOf = daysAgo(0, "-12:00");
  return { from, to, asOf, beganAt: new Date().toISOString(), isDone: false };
}

/**
 * Undefined if the folder is empty or missing.
 *
 * @throws UsageError if the folder has other content, or a plan that cannot be read.
 */
export async function readPlan(folder: ExportFolder): Promise<Plan | undefined> {
  const text = await readFile(folder.plan, "utf8").catch(ifMissing(undefined));
  if (text !== undefined) return parsePlan(text, folder);
  const names = await readdir(folder.path).catch(ifMissing<string[]>([]));
  // An export that was killed before it had a plan may have left this folder.
  const own = basename(toStateFolder(folder));
  if (names.every((name) => name === own || isLitter(name))) return undefined;
  const isHandedOver = names.includes(MANIFEST) && names.includes(REPORT);
  const what = isHandedOver
    ? `an export without ${own} in it, which --resume and sync need`
    : "something else in it and no export";
  throw new UsageError(
    `${folder.path} has ${what}: export into a folder that is empty or not there`,
  );
}

export async function writePlan(folder: ExportFolder, plan: Plan): Promise<void> {
  await writeDurably(folder.plan, `${JSON.stringify(plan, undefined, 2)}\n`);
}

function parsePlan(text: string, { plan: file }: ExportFolder): Plan {
  const plan = parseJson(text);
  if (matches(PLAN, plan)) return plan;
  throw new UsageError(
    `${file} is damaged, or of another version of this program: export into a new folder`,
  );
}

type Checks<Checked> = { readonly [Name in keyof Checked]: (value: unknown) => boolean };

const isText = (value: unknown): value is string => typeof value === "string";
const isYesOrNo = (value: unknown) => typeof value === "boolean";
const isZoneOrNull = (value: unknown) => value === null || (isText(value) && isTimeZone(value));
const isAnyDay = (value: unknown) => isText(value) && isDay(value);
const isOneOf = (values: readonly unknown[]) => (value: unknown) => values.includes(value);
const isListOf = (check: (item: unknown) => boolean) => (value: unknown) =>
  Array.isArray(value) && value.every(check);

/** True if all fields are there and pass their checks. */
function matches<Checked>(checks: Checks<Checked>, value: unknown): value is Checked {
  if (typeof value !== "object" || value === null) return false;
  const fields: Readonly<Record<string, unknown>> = { ...value };
  return Object.entries<(field: unknown) => boolean>(checks).every(([name, check]) =>
    check(fields[name]),
  );
}

const ROUND: Checks<Round> = {
  from: isAnyDay,
  to: isAnyDay,
  asOf: isAnyDay,
  beganAt: isText,
  isDone: isYesOrNo,
};

const isNumber = (value: unknown) => typeof value === "number";

const SPAN: Checks<CallSpan> = {
  call_id: isText,
  part: isNumber,
  from: isNumber,
  to: isNumber,
  channel: (value) => value === undefined || isNumber(value),
  reason: (value) => value === undefined || isText(value),
};

const PLAN: Checks<Plan> = {
  version: isOneOf([3]),
  baseUrl: isText,
  by: isOneOf(["fields", "custom fields"]),
  filter: (value) => typeof value === "object" && value !== null && !Array.isArray(value),
  words: (value) => value === undefined || isText(value),
  where: (value) => value === null || isText(value),
  ids: (value) => value === undefined || isListOf(isText)(value),
  format: isOneOf(Object.keys(METADATA)),
  columns: (value) => value === null || isListOf(isOneOf(fieldsOf("MetadataRecord")))(value),
  timeZone: isZoneOrNull,
  archiveTimeZone: isZoneOrNull,
  name: isText,
  names: isOneOf(["by time", undefined]),
  files: isListOf(isOneOf(FILE_KINDS)),
  redact: isListOf(isOneOf(fieldsOf("MetadataRecord"))),
  mute: (value) => value === undefined || isListOf((span) => matches(SPAN, span))(value),
  purpose: (value) => value === undefined || isText(value),
  endDate: isOneOf(["included", "excluded", null]),
  isOldestFirst: isYesOrNo,
  rounds: isListOf((round) => matches(ROUND, round)),
};
