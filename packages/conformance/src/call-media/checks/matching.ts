// How values are matched: case, whitespace, substrings, phone number notation (D08).
import { couldMatch, findMissing, toName } from "../archive/records.ts";
import { PAGE_SIZE, type Window } from "../archive/window.ts";
import { recordsOf } from "../answer.ts";
import type { Answers } from "../notes.ts";
import type { Run } from "../run.ts";
import type { Check, Context } from "./check.ts";
import { findRarest, selectEqual } from "./filter-values.ts";
import { FAMILIES, type Family, filterBy } from "./filters.ts";

interface Probe {
  readonly id: "filter.case" | "filter.partial" | "filter.phone";
  readonly question: string;
  /** What a match shows. */
  readonly learns: keyof Answers;
  /** The value as the probe sends it; unchanged text if the probe shows nothing for it. */
  readonly change: (value: string) => string;
  readonly isFound: boolean;
  readonly fields: RegExp;
}

const PROBES: readonly Probe[] = [
  {
    id: "filter.case",
    question: "Does letter case matter?",
    learns: "ignoresCase",
    change: (value) => (value.toUpperCase() === value ? value.toLowerCase() : value.toUpperCase()),
    isFound: true,
    fields: /^(?!phone)/,
  },
  {
    id: "filter.case",
    question: "Do spaces around a value matter?",
    learns: "ignoresOuterSpaces",
    change: (value) => `  ${value} `,
    isFound: true,
    fields: /^(?!phone)/,
  },
  {
    id: "filter.partial",
    question: "Does the beginning of a value match?",
    learns: "matchesBeginning",
    change: (value) => value.slice(0, Math.ceil(value.length / 2)),
    isFound: false,
    fields: /^(?!phone)/,
  },
  {
    id: "filter.partial",
    question: "Does the end of a value match?",
    learns: "matchesEnd",
    change: (value) => value.slice(Math.floor(value.length / 2)),
    isFound: false,
    fields: /^(?!phone)/,
  },
  {
    id: "filter.phone",
    question: "Does the notation of a telephone number matter?",
    learns: "ignoresPhoneNotation",
    change: (value) => value.replaceAll(/\D/g, "").split("").join("-"),
    isFound: true,
    fields: /^phone/,
  },
];

export const matching: Check = {
  about: "how values are matched",
  proves: ["filter.case", "filter.partial", "filter.phone"],
  cost: 10,
  run: async ({ run, sample: { window } }: Context) => {
    if (window === undefined) return;
    for (const family of FAMILIES)
      await Promise.all(PROBES.map((probe) => observeMatching(run, { window, family, probe })));
  },
};

interface Probing {
  readonly window: Window;
  readonly family: Family;
  readonly probe: Probe;
}

async function observeMatching(run: Run, { window, family, probe }: Probing): Promise<void> {
  const chosen = choose(window, family, probe);
  if (chosen === undefined) return;
  const { field, sought, record } = chosen;
  const filter = { [field]: sought };
  const answer = await filterBy(run, window, { operation: family.operation, filter });
  const isFound = findMissing([record], recordsOf(answer)).length === 0;
  const fault = `${JSON.stringify(filter)} ${isFound ? "finds" : "does not find"} ${toName(record)} with ${JSON.stringify(record[field])}`;
  const place = `${probe.learns} of ${field}`;
  run.prove(probe.id, answer, isFound === probe.isFound ? undefined : { at: place, fault });
  run.observe({
    decision: "D08",
    question: `${probe.question} (${family.operation})`,
    observed: `${JSON.stringify(sought)} ${isFound ? "finds" : "does not find"} ${JSON.stringify(record[field])}`,
    value: isFound,
    agrees: isFound === probe.isFound,
  });
  if (answer.isSuccess) run.learn({ [probe.learns]: isFound });
}

/** A rare value that the change alters and that no other value reveals. */
function choose(
  { records }: Window,
  { fields }: Family,
  { fields: fitting, change, isFound }: Probe,
) {
  for (const field of fields.filter((name) => fitting.test(name) && !name.endsWith("_time"))) {
    const { value, record, count } = findRarest(records, field) ?? {};
    if (typeof value !== "string" || record === undefined || (count ?? 0) > PAGE_SIZE) continue;
    const sought = change(value);
    const isShown = sought !== value && sought.trim() !== "" && (isFound || value.length >= 4);
    const isElsewhere = !isFound && selectEqual(records, { [field]: sought }).length > 0;
    const isCommon =
      records.filter((other) => couldMatch(field, other[field], sought)).length > PAGE_SIZE;
    if (isShown && !isElsewhere && !isCommon) return { field, sought, record };
  }
  return undefined;
}
