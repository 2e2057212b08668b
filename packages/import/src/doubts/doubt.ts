// A doubt: what is wrong with an import though no row is rejected. The first rows are judged before one is written.

export const DOUBTS = [
  "empty",
  "no-rows",
  "columns",
  "guess",
  "zone",
  "zone-names",
  "moved",
  "media",
  "ids",
  "dates",
  "durations",
  "shared-id",
  "identical",
  "values",
  "samples",
  "headers",
  "skipped",
  "cut",
  "orphans",
] as const;

export type DoubtName = (typeof DOUBTS)[number];

export interface Doubt {
  readonly name: DoubtName;
  /** `stop`: nothing is written unless the doubt is allowed. */
  readonly effect: "stop" | "warn";
  /** A sentence without its end, about the rows. */
  readonly text: string;
  /** Advice, as a sentence without its full stop. */
  readonly advice: string;
  /** Number of what it is about. */
  readonly count: number;
  readonly unit: "row" | "name" | "line" | "file" | "recording";
  /** All fields that it is about, where it is passed for each of them. */
  readonly fields?: readonly string[];
  /** The first of them, rows at most three, such as `log.csv:2: call_id "3E+14"`. */
  readonly first: readonly string[];
}

/** A call or a message of a row, as its reader gave it: nothing of it is checked yet. */
export interface JudgedRecord {
  readonly file: string;
  readonly line: number;
  readonly raw: string;
  readonly entry: Readonly<Record<string, unknown>>;
}

export interface JudgedCall extends JudgedRecord {
  /** True if the operator's own mapping says what its values are, which no test has proved. */
  readonly isMapped: boolean;
  /** True if a mapping reads it, shipped or the operator's: false for the formats that archives write. */
  readonly isForeign: boolean;
  /** True if its mapping reads day and month as numbers, which could lie the other way round. */
  readonly isOrderOpen: boolean;
  /** Present if `isMapped`. */
  readonly sides?: Sides | undefined;
  /** True if other rows of the file are legs of the same call, or if the row has several calls. */
  readonly isLeg: boolean;
}

/** How it is known which number of a call is whose, and which way the call went. */
export interface Sides {
  /** True if the columns of `ani` and `dnis` have such names. */
  readonly areNumbersNamed: boolean;
  /** True if a sample expects both, or the agent. */
  readonly areNumbersSampled: boolean;
  readonly isAgentSampled: boolean;
  /** True if words say the direction. */
  readonly isDirectionSaid: boolean;
  /** The codes that say it, such as `call_type: "1" becomes "Inbound"`. */
  readonly codes: readonly string[];
}

/** Looks at every call for one kind of fault. Its memory does not grow with the import. */
export interface Probe {
  readonly see: (call: JudgedCall) => void;
  /** The doubts after the calls so far. */
  readonly judge: () => readonly Doubt[];
}

const FIRST = 3;
const SHOWN = 100;

/** Counts rows and keeps the first of them. */
export function createTally() {
  const first: string[] = [];
  let rows = 0;
  return {
    add: ({ file, line }: Pick<JudgedCall, "file" | "line">, what: string): void => {
      rows += 1;
      if (first.length < FIRST) first.push(`${file}:${line}: ${what}`);
    },
    count: () => rows,
    /** The doubt about these rows; empty without rows. */
    toDoubts: (
      doubt: Omit<Doubt, "count" | "unit" | "first">,
      unit: Doubt["unit"] = "row",
    ): Doubt[] => (rows === 0 ? [] : [{ ...doubt, count: rows, unit, first: [...first] }]),
  };
}

const NAMED = 10;

/** The doubt about these names, files or recordings, of which the first are shown; none if there are none. */
export const toDoubts = (
  all: readonly string[],
  doubt: Omit<Doubt, "count" | "unit" | "first">,
  { unit = "name", shown = NAMED }: { readonly unit?: Doubt["unit"]; readonly shown?: number } = {},
): readonly Doubt[] =>
  all.length === 0 ? [] : [{ ...doubt, count: all.length, unit, first: all.slice(0, shown) }];

/** The fault of a field, as the end of a sentence that begins with the field. */
export interface FieldFault {
  readonly field: string;
  readonly text: string;
}

/** The doubt about these fields; none if there is none. */
export const toFieldDoubts = (
  faults: readonly FieldFault[],
  doubt: Omit<Doubt, "count" | "unit" | "first" | "fields">,
): readonly Doubt[] =>
  toDoubts(
    faults.map(({ field, text }) => `${field}: ${text}`),
    { ...doubt, fields: [...new Set(faults.map(({ field }) => field))] },
  );

/** A field and its value, for people. */
export function toValueText(field: string, value: unknown): string {
  const text = typeof value === "string" ? value : String(value);
  const shown = text.length > SHOWN ? `${text.slice(0, SHOWN).toWellFormed()}...` : text;
  return `${field} ${typeof value === "string" ? JSON.stringify(shown) : shown}`;
}

/** The text of a field; empty where it has none. */
export function readText({ entry }: JudgedRecord, field: string): string {
  const value = entry[field];
  return typeof value === "string" ? value.trim() : "";
}
