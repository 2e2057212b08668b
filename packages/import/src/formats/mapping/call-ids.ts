// Judges which column identifies a call: one that has no other, and one beside the identifier of the record itself.
import { type Doubt, type FieldFault, toFieldDoubts } from "../../doubts/doubt.ts";
import type { RateName } from "./field-names.ts";
import type { Mapping } from "./mapping.ts";
import { toNames } from "./readings.ts";
import type { Reading, SampleColumn, SampleColumns } from "./sample-columns.ts";

interface Context {
  readonly mapping: Mapping;
  readonly sample: SampleColumns;
  readonly rate: RateName;
}

/** `readings` are of the fields that are in question. */
export const judgeCallIds = (readings: readonly Reading[], context: Context): readonly Doubt[] => [
  ...toFieldDoubts(findIds(context), NAMELESS),
  ...toFieldDoubts(findOwnIds(readings), OWN),
];

const NAMELESS = {
  name: "columns",
  effect: "warn",
  text: "the mapping reads no call_id: nobody finds a call by it, and a call that comes again with a change is another call",
  advice: "Read it from the column that has it",
} as const;
const OWN = {
  name: "columns",
  effect: "warn",
  text: "the record has an identifier of its own, and the call is identified by another one that is as unique",
  advice: "Look which of the two the platform asks for. A sample that expects the field proves it",
} as const;

/** Columns with identifiers of calls, where the mapping reads none. */
function findIds({ mapping, sample, rate }: Context): readonly FieldFault[] {
  if (mapping.fields.some(({ field }) => field === "call_id")) return [];
  return sample
    .list()
    .filter(({ name, values }) => rate("call_id", name) > 0 && values.size > 0)
    .map(({ name }) => ({ field: "call_id", text: `there is {${name}}` }));
}

// The identifier of a record may stand here, where the call has another one.
const BESIDE = new Set(["ref_id", "session_id", "master_id"]);

const isOwn = ({ name }: SampleColumn) => /^id$/i.test(name);
const countOf = ({ values }: SampleColumn) => new Set(values.values()).size;

/** Legs share the identifier of their call, so that it is less unique than their own. */
function findOwnIds(readings: readonly Reading[]): readonly FieldFault[] {
  const call = readings.find(({ field }) => field === "call_id")?.first ?? [];
  const [column, ...others] = call;
  if (column === undefined || others.length > 0 || isOwn(column)) return [];
  const own = readings
    .filter(({ field }) => BESIDE.has(field))
    .flatMap(({ columns }) => columns)
    .find((one) => isOwn(one) && countOf(one) > 0 && countOf(one) <= countOf(column));
  return own === undefined
    ? []
    : [{ field: "call_id", text: `${toNames(call)}, and there is {${own.name}}` }];
}
