// Compares the rows of a query with those rows of the complete list that it should return.
import type { Answer } from "../ask.ts";
import type { JsonObject } from "@call-media/contract-diff";
import type { PlacedFault } from "../fingerprint.ts";
import type { FoundList, Run } from "../run.ts";
import { findBoth, keysOf, readAll } from "../values/lists.ts";
import { at, show } from "../values/places.ts";
import type { Verdicts } from "./law.ts";

export interface Selection {
  readonly operation: string;
  readonly list: FoundList;
  /** In addition to the list's own query. */
  readonly query: JsonObject;
  readonly body?: JsonObject;
  readonly isWanted: (row: unknown) => boolean;
  /** A description for findings: `country=DE`. */
  readonly how: string;
  /** Clauses for a row too many, a row too few and a refusal. */
  readonly clauses: { readonly wrong: string; readonly lost: string };
  /** Page size; default: the largest. */
  readonly size?: number;
  /** Follow the link to the next page. */
  readonly isByLink?: boolean;
  /** Rows for which this is true may be missing or present. */
  readonly isDoubtful?: (row: unknown) => boolean;
  /** Places in a row by which it is selected. */
  readonly fields?: readonly string[];
}

/** The first row that a selection should not return, with its fault. */
export function findUnwanted(
  run: Run,
  {
    operation,
    isWanted,
    isDoubtful = () => false,
    how,
    fields,
  }: Pick<Selection, "operation" | "isWanted" | "isDoubtful" | "how" | "fields">,
  rows: readonly unknown[],
): { readonly row: unknown; readonly fault: PlacedFault } | undefined {
  const row = rows.find((one) => !isWanted(one) && !isDoubtful(one));
  if (row === undefined) return undefined;
  const [key] = keysOf(run, operation, [row]);
  const more = fields?.map((field) => `its ${field} is ${show(at(row, field))}`).join(", ");
  return { row, fault: { at: "", fault: `${key} comes and does not match (${how})`, more } };
}

/** Judges whether only wanted rows are returned, and whether all of them are. */
export async function* judgeSelection(run: Run, selection: Selection): Verdicts {
  const {
    operation,
    list,
    query,
    isWanted,
    how,
    clauses,
    size,
    isDoubtful = () => false,
  } = selection;
  const wantedQuery = { ...list.query, ...query };
  const enough = list.isWhole ? list.rows.filter(isWanted).length : Infinity;
  const ask = { operation, query: wantedQuery, ...(selection.body && { body: selection.body }) };
  const got = await readAll(
    run,
    ask,
    size === undefined ? { enough } : { size, most: 12, isByLink: selection.isByLink === true },
  );
  const answer = got.answers.find(({ isSuccess }) => !isSuccess) ?? got.answers[0];
  if (answer === undefined) return;
  const witness = findBoth(list.rows, isWanted);
  if (got.answers[0]?.isSuccess !== true) {
    yield {
      clause: clauses.lost,
      answer,
      witness: "a right request",
      fault: `a right request (${how}) is answered ${answer.status}`,
    };
    return;
  }
  const keys = keysOf(run, operation, got.rows);
  const wrong = findUnwanted(run, selection, got.rows);
  yield {
    clause: clauses.wrong,
    answer: answerOf(got.pages, got.answers, wrong?.row) ?? answer,
    witness,
    fault: wrong?.fault,
  };
  const twice = keys.find((key, index) => keys.indexOf(key) < index);
  const wanted = list.rows.filter((row) => isWanted(row) && !isDoubtful(row));
  // An incomplete list may have the row further on.
  const lost =
    got.isWhole && list.isWhole
      ? keysOf(run, operation, wanted).find((key) => !keys.includes(key))
      : undefined;
  const fault =
    lost === undefined
      ? twice && `${twice} comes twice (${how})`
      : `${lost} matches and does not come (${how})`;
  if (list.isWhole)
    yield { clause: clauses.lost, answer, witness: wanted.length > 0 ? witness : undefined, fault };
}

const answerOf = (
  pages: readonly (readonly unknown[])[],
  answers: readonly Answer[],
  row: unknown,
): Answer | undefined =>
  row === undefined ? undefined : answers[pages.findIndex((rows) => rows.includes(row))];
