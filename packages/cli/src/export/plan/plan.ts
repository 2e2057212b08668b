// What an export is to hold: kept in its folder, so that it goes on as it was begun and nothing else is mixed into it.
import { readdir, readFile } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { fieldsOf } from "@call-media/api";
import { FILE_KINDS, type FileKind, MANIFEST, METADATA, REPORT } from "@call-media/handover";
import { ifMissing } from "../../failures/system-error.ts";
import { UsageError } from "../../failures/usage-error.ts";
import { isDay, toDayOf } from "../../search/day.ts";
import { isTimeZone } from "../../search/time-zone.ts";
import type { Field } from "../../search/where/comparison.ts";
import { type ExportFolder, writeDurably } from "../folder/files.ts";
import { parseJson } from "../folder/parse-json.ts";

/** What is searched for and how it is written. The same for all rounds of a folder. */
export interface Plan {
  readonly version: 2;
  readonly baseUrl: string;
  readonly by: "fields" | "custom fields";
  readonly filter: Readonly<Record<string, unknown>>;
  /** The condition as it was written. */
  readonly where: string | null;
  readonly format: keyof typeof METADATA;
  /** IANA name of the zone of the dates in a spreadsheet; null: that of the archive, else UTC. */
  readonly timeZone: string | null;
  /** The zone of datetimes without an offset (D34); null while it is not known. */
  readonly archiveTimeZone: string | null;
  /** Template of the names of files. */
  readonly name: string;
  readonly files: readonly FileKind[];
  readonly redact: readonly Field[];
  /** Whether the service counts the last day of a range in; null while no record told. */
  readonly endDate: "included" | "excluded" | null;
  /** Whether the service gives the oldest records first; days are read in the same order. */
  readonly isOldestFirst: boolean;
  /** The days that were asked for, first the export, then each sync. */
  readonly rounds: readonly Round[];
}

/** Days, both included: YYYY-MM-DD in the time zone of the archive. */
export interface Round {
  readonly from: string;
  readonly to: string;
  /** The day on which it was begun, in the zone that is furthest behind: no later day can be whole. */
  readonly asOf: string;
  /** Whether all that could be had of it is there. */
  readonly isDone: boolean;
}

/** Those that have not come to their end. */
export const listOpenRounds = ({ rounds }: Pick<Plan, "rounds">) =>
  rounds.filter(({ isDone }) => !isDone);

const MAX_BEHIND_UTC_MS = 12 * 3_600_000;

export function toRound(from: string, to: string): Round {
  const asOf = toDayOf(Date.now() - MAX_BEHIND_UTC_MS);
  return { from, to, asOf, isDone: false };
}

/**
 * The plan of the export in a folder; undefined where the folder is empty or not there.
 *
 * @throws UsageError where the folder has something else in it, or a plan that nobody can read.
 */
export async function readPlan(folder: ExportFolder): Promise<Plan | undefined> {
  const text = await readFile(folder.plan, "utf8").catch(ifMissing(undefined));
  if (text !== undefined) return parsePlan(text, folder);
  const names = await readdir(folder.path).catch(ifMissing<string[]>([]));
  // An export that ended before it had a plan left its own folder alone.
  const own = basename(dirname(folder.plan));
  if (names.every((name) => name === own)) return undefined;
  const isHandedOn = names.includes(MANIFEST) && names.includes(REPORT);
  const what = isHandedOn
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
  if (isOf(PLAN, plan)) return plan;
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
const isListOf = (isRight: (item: unknown) => boolean) => (value: unknown) =>
  Array.isArray(value) && value.every(isRight);

/** Whether it has all of the fields, each as it should be. */
function isOf<Checked>(checks: Checks<Checked>, value: unknown): value is Checked {
  if (typeof value !== "object" || value === null) return false;
  const fields: Readonly<Record<string, unknown>> = { ...value };
  return Object.entries<(field: unknown) => boolean>(checks).every(([name, isRight]) =>
    isRight(fields[name]),
  );
}

const ROUND: Checks<Round> = { from: isAnyDay, to: isAnyDay, asOf: isAnyDay, isDone: isYesOrNo };

const PLAN: Checks<Plan> = {
  version: isOneOf([2]),
  baseUrl: isText,
  by: isOneOf(["fields", "custom fields"]),
  filter: (value) => typeof value === "object" && value !== null && !Array.isArray(value),
  where: (value) => value === null || isText(value),
  format: isOneOf(Object.keys(METADATA)),
  timeZone: isZoneOrNull,
  archiveTimeZone: isZoneOrNull,
  name: isText,
  files: isListOf(isOneOf(FILE_KINDS)),
  redact: isListOf(isOneOf(fieldsOf("MetadataRecord"))),
  endDate: isOneOf(["included", "excluded", null]),
  isOldestFirst: isYesOrNo,
  rounds: isListOf((round) => isOf(ROUND, round)),
};
