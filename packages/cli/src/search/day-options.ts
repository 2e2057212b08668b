// Days on the command line: --from and --to, or one option that replaces both. Every command parses them here.
import { addDays, daysAgo, isDay } from "@call-media/client";
import { createDayParser, toNumberOfDays } from "@call-media/terminal";
import { type Command, InvalidArgumentError, Option } from "commander";

/** Both days are included. */
interface DayRange {
  readonly from: string;
  readonly to: string;
}

export const toDay = createDayParser(isDay);

/** In UTC. */
const toDayOf = (ms: number): string => daysAgo(0, "UTC", new Date(ms));

/** 2026-02 is 2026-02-01 to 2026-02-28. */
function toMonth(text: string): DayRange {
  const [, year, month] = /^(\d{4})-(0[1-9]|1[0-2])$/.exec(text) ?? [];
  if (year === undefined || month === undefined)
    throw new InvalidArgumentError("It must be a month such as 2026-03.");
  const last = Date.UTC(Number(year), Number(month), 0); // the day before the next month
  return { from: `${text}-01`, to: toDayOf(last) };
}

/** 7d is today and the six days before, by the calendar of this machine. */
function toLast(text: string): DayRange {
  const days = toNumberOfDays(text);
  const now = new Date();
  const today = toDayOf(Date.UTC(now.getFullYear(), now.getMonth(), now.getDate()));
  return { from: addDays(today, 1 - days), to: today };
}

const toOneDay = (text: string): DayRange => ({ from: toDay(text), to: text });

const RANGES = {
  month: new Option("--month <month>", "all days of a month, such as 2026-03").argParser(toMonth),
  last: new Option("--last <days>", "the last days up to today, such as 7d or 4w").argParser(
    toLast,
  ),
  on: new Option("--on <day>", "one day").argParser(toOneDay),
} as const;

/** The names of both days in a command. A range that begins where a sync continues has no first day. */
interface Ends {
  readonly from?: string;
  readonly to?: string;
}

/**
 * Adds the options `kinds`. Each replaces the days that `ends` names, such as `{ from: "since" }`: before the command runs, these get the
 * values of the range.
 */
export function addRangeOptions(
  command: Command,
  kinds: readonly (keyof typeof RANGES)[],
  ends: Ends = { from: "from", to: "to" },
): Command {
  const names = [ends.from, ends.to].filter((name) => name !== undefined);
  for (const kind of kinds) {
    const { flags, description, parseArg } = RANGES[kind];
    const others = kinds.filter((other) => other !== kind);
    const option = new Option(flags, description).conflicts([...names, ...others]);
    if (parseArg) option.argParser(parseArg);
    command.addOption(option);
  }
  return command.hook("preAction", (_, action) => {
    for (const kind of kinds) {
      const range: DayRange | undefined = action.getOptionValue(kind);
      if (range === undefined) continue;
      if (ends.from !== undefined) action.setOptionValue(ends.from, range.from);
      if (ends.to !== undefined) action.setOptionValue(ends.to, range.to);
    }
  });
}
