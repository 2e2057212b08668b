// The search options: generated from the filter fields of the contract, and converted back to a filter.
import { document, fieldsOf } from "@call-media/api";
import type { Condition } from "@call-media/conditions";
import type { Field } from "@call-media/handover";
import { type Command, InvalidArgumentError, Option } from "commander";
import { UsageError } from "@call-media/terminal";
import { addRangeOptions, toDay } from "./day-options.ts";
import { toWantedFields, type Wanted, type WantedFields } from "./wanted.ts";

/** The parsed command line of commander: a value for each given option, by its camel-case name. */
export type FilterFlags = Readonly<Record<string, unknown>> & {
  readonly from?: string;
  readonly to?: string;
};

const SCHEMAS = { fields: "MetadataFilter", "custom fields": "CustomFieldsFilter" } as const;

const FILTER_GROUP = "Search by (letter case and outer spaces do not count):";

export const FILTER_HELP = `
Options for custom and security fields: ${toRange("custom_field")} and ${toRange("security_field")}.
The service cannot search by these and by other fields at once: give one kind as options and the other in --where.`;

/** --from and --to, the options that replace both, and an option for each field of both filters. */
export function addFilterOptions(command: Command): Command {
  // These are not mandatory options: commander would report a missing --from before it suggests --from for an unknown --form.
  command
    .option("--from <day>", "the first day, YYYY-MM-DD, in the time zone of the archive", toDay)
    .option("--to <day>", "the last day, included", toDay);
  return addFieldOptions(addRangeOptions(command, ["month", "last", "on"]));
}

/** An option for each field of both filters. */
export function addFieldOptions(command: Command): Command {
  for (const { option } of toFilterOptions("fields"))
    command.addOption(option.helpGroup(FILTER_GROUP));
  // Twenty-five additional lines would hide the others; the help names them in two lines.
  for (const { option } of toFilterOptions("custom fields")) command.addOption(option.hideHelp());
  return command;
}

/** @throws UsageError if fields of both kinds are given, or the days are missing or in the wrong order. */
export function readFilters(flags: FilterFlags, where?: Condition<Field>): Wanted {
  const { from: startDate, to: endDate } = flags;
  if (startDate === undefined || endDate === undefined)
    throw new UsageError(
      "--from and --to are both needed: the first and the last day; or --month, --last or --on",
    );
  checkOrder(startDate, endDate);
  return { startDate, endDate, ...readFields(flags, where) };
}

/** @throws UsageError if a filter is given, because the calls of --ids are looked up one by one. */
export function refuseFilters(flags: FilterFlags): void {
  const [field] = Object.keys(readValues(flags));
  if (field !== undefined)
    throw new UsageError(`--ids does not go with ${toFlag(field)}: use --where`);
}

/** @throws UsageError if the days are in the wrong order. */
export function checkOrder(from: string, to: string): void {
  if (from > to) throw new UsageError(`--from ${from} is after --to ${to}`);
}

/** @throws UsageError if fields of both kinds are given. */
export const readFields = (
  flags: Readonly<Record<string, unknown>>,
  where?: Condition<Field>,
): WantedFields => toWantedFields(readValues(flags), where);

/** The filter values of both kinds, by field. */
export const readValues = (flags: Readonly<Record<string, unknown>>): WantedFields["filter"] => ({
  ...readKind(flags, "fields"),
  ...readKind(flags, "custom fields"),
});

function readKind(
  flags: Readonly<Record<string, unknown>>,
  kind: Wanted["by"],
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    toFilterOptions(kind)
      .map(({ field, option }) => [field, flags[option.attributeName()]] as const)
      .filter(([, value]) => value !== undefined),
  );
}

function toFilterOptions(kind: Wanted["by"]) {
  const properties = document.components.schemas[SCHEMAS[kind]]?.properties ?? {};
  return fieldsOf(SCHEMAS[kind]).map((field) => {
    const { type, description = "" } = properties[field] ?? {};
    const isInteger = type === "integer";
    const placeholder = isInteger ? "<seconds>" : "<text>";
    const option = new Option(`${toFlag(field)} ${placeholder}`, toWords(description));
    return { field, option: isInteger ? option.argParser(toSeconds) : option };
  });
}

export function toFlag(field: string): string {
  return `--${field.replaceAll("_", "-")}`;
}

/** "Matches the sign-in name of the agent." in the form of an option's description. */
const toWords = (description: string) => description.replace(/^Matches /, "").replace(/\..*$/s, "");

function toRange(prefix: string): string {
  const fields = fieldsOf("CustomFieldsFilter").filter((field) => field.startsWith(prefix));
  return `${toFlag(fields.at(0) ?? "")} to ${toFlag(fields.at(-1) ?? "")}`;
}

function toSeconds(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new InvalidArgumentError("It must be a whole number of seconds.");
}
