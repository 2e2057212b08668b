// The two identifiers by which calls are looked up, call_id and reference, as SQL: which calls have one, and the few of
// them that a look-up judges first. Those of which more calls have one are a crowd: see crowds/.
import { SPAN } from "./order-key.ts";

/** SQL for the calls that have the identifier `:name`, which lie in one or several stretches of an index. */
export interface Identifier {
  readonly kind: "call_id" | "reference";
  /** The columns of `call` that have it. */
  readonly columns: readonly string[];
  /** A condition for a row of `call`: that it is one of them. */
  readonly where: string;
  /** That a row of `call` is one of them, without an index. */
  readonly isOne: string;
  /**
   * A SELECT of the `list` (see `toListed`) of `most` calls of each stretch, from where they lie in an index on, or would: those
   * of the identifier come first. Several lists may be one.
   */
  readonly first: string;
  readonly most: number;
  /** How many stretches there are. */
  readonly stretches: string;
  /** In which of the stretches of its identifier a row lies. */
  readonly toStretch: (row: string) => string;
}

/** Of a row of `call`, what `judge` reads; `isOne`, which is 0 or 1, comes before the id. */
export const toListed = (isOne: string) => `x'00' || restricted || x'00' || (${isOne}) || id`;

// Comes after all text.
const END = "x''";

// Few identifiers have as many records: legs of a transfer, calls of a session. Each one more would be judged by every look-up
// with rights, in 0.4 us.
const MOST = { byCallId: 16, bySpanAndReference: 4 } as const;

const toSelect = (isOne: string) => `SELECT ${toListed(isOne)} AS list FROM call`;

export const BY_CALL_ID: Identifier = {
  kind: "call_id",
  columns: ["call_id"],
  where: "call_id = :name",
  isOne: "call_id = :name",
  first: `${toSelect("call_id = :name")} WHERE call_id >= :name AND call_id < ${END}
          ORDER BY call_id LIMIT ${MOST.byCallId}`,
  most: MOST.byCallId,
  stretches: "1",
  toStretch: () => "'all'",
};

const IN_ANY_SPAN = `${SPAN} IN (SELECT number FROM call_span)`;
const REFERENCES = ["ref_id", "session_id", "master_id"] as const;
// An OR over the three names would read each call that has one of them.
const REFERENCED = REFERENCES.map(
  (name) => `SELECT id FROM call WHERE ${IN_ANY_SPAN} AND ${name} = :name`,
).join(" UNION ALL ");
// Of each span by itself: one LIMIT for all would be met before the last span, into which a look-up of what does not exist looks.
const toFirstOfSpan = (name: string) =>
  `SELECT group_concat(list, '') FROM (
     ${toSelect(`${name} = :name`)} WHERE ${SPAN} = number AND ${name} >= :name AND ${name} < ${END}
     ORDER BY ${name} LIMIT ${MOST.bySpanAndReference})`;

export const BY_REFERENCE: Identifier = {
  kind: "reference",
  columns: REFERENCES,
  where: `call.id IN (${REFERENCED})`,
  isOne: `:name IN (${REFERENCES.join()})`,
  first: REFERENCES.map((name) => `SELECT (${toFirstOfSpan(name)}) AS list FROM call_span`).join(
    " UNION ALL ",
  ),
  most: MOST.bySpanAndReference,
  stretches: `${REFERENCES.length} * (SELECT count(*) FROM call_span)`,
  toStretch: (row) => `${row}.${SPAN}`,
};

/** A SELECT of the lists of other calls, as many as are wanted, for where `first` comes to the end of an index. */
export const OTHERS = `${toSelect("0")} WHERE call_id >= :name AND call_id < ${END}
                       UNION ALL ${toSelect("0")} WHERE call_id < :name`;

export const IDENTIFIERS = [BY_CALL_ID, BY_REFERENCE] as const;
