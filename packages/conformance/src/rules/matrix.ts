// The form of a request must not matter: tries every pair of method, caller, encoding, filters and page once, against the plain request.
import { isDeepStrictEqual } from "node:util";
import type { JsonObject } from "@call-media/contract-diff";
import type { Answer, Ask } from "../ask.ts";
import type { Operation } from "../document/document.ts";
import { filtersOf } from "../laws/filters.ts";
import { unchecked, type Verdicts } from "../laws/law.ts";
import { coverPairs, type Row } from "../plan/covering.ts";
import type { FoundList, Run } from "../run.ts";
import { findList, keyOf, keysOf, rowsOf, valuesOf } from "../values/lists.ts";
import { hasSize, pageAsk } from "../values/pages.ts";
import { toText } from "../values/places.ts";
import { isSteady, toComparable } from "../values/same-answer.ts";
import { escapeLetter, findOddHeader, hasOwnHead } from "./http.ts";
import type { DocumentRule } from "./rule.ts";

const PAGE_SIZE = 3;

type Asking = Row<{
  method: readonly ["GET", "HEAD"];
  caller: readonly ["first", "second", "none"];
  encoding: readonly ["plain", "escaped"];
  filters: readonly ["0", "1", "2"];
  page: readonly ["first", "second"];
}>;

export const matrix: DocumentRule = {
  name: "matrix",
  clauses: ["matrix.same", "matrix.refused"],
  cost: () => 9,
  applies: ({ method, parameters }) =>
    method === "GET" && parameters.some((one) => one.in === "query"),
  needs: () => [],
  isBetween: true,
  judge: async function* judge(operation, run) {
    const list =
      run.listInfo(operation.id) === undefined ? undefined : await findList(run, operation.id);
    if (list === undefined || list.rows.length === 0) {
      yield unchecked("matrix", "no rows were found");
      return;
    }
    const filters = toFilters(run, operation, list);
    const rule = run.ruleOf("page", operation.id);
    const isPaged = rule !== undefined && hasSize(rule) && rule.index !== undefined;
    const rows = coverPairs({
      method: hasOwnHead(run, operation) ? ["GET"] : ["GET", "HEAD"],
      caller: [
        "first",
        ...(run.callers.second === undefined ? [] : ["second"]),
        ...(operation.security.length === 0 ? [] : ["none"]),
      ],
      encoding: ["plain", "escaped"],
      filters: ["0", "1", "2"].slice(0, Math.min(filters.length, 2) + 1),
      page: isPaged ? ["first", "second"] : ["first"],
    });
    for (const row of rows) yield* judgeRow(run, { operation, list, filters, row: row as Asking });
  },
};

/** Values of one row, so that the filters combined still match that row. */
function toFilters(run: Run, operation: Operation, { rows }: FoundList): JsonObject[] {
  const rules = run.relations.rules.filter(
    (rule) => rule.kind === "filter" && rule.of.includes(operation.id),
  );
  const filters = rules.flatMap((rule) =>
    rule.kind === "filter" ? filtersOf(run, rule, operation) : [],
  );
  const wanted = rows.at(-1);
  return filters.flatMap(({ by, fields, rule }) => {
    const value =
      rule.match === "contains" ? undefined : (rule.when ?? valuesOf(wanted, fields)[0]);
    return value === undefined || toText(value) === "" ? [] : [{ [by]: value }];
  });
}

interface Case {
  readonly operation: Operation;
  readonly list: FoundList;
  readonly filters: readonly JsonObject[];
  readonly row: Asking;
}

async function* judgeRow(run: Run, given: Case): Verdicts {
  const { row } = given;
  const answer = await run.ask(toAsk(run, given));
  const how = Object.entries(row)
    .map(([name, value]) => `${name} ${value}`)
    .join(", ");
  if (row.caller === "none") {
    // `auth` reports a plain request that succeeds without credentials.
    const isPlain = (await run.ask({ operation: answer.operation.id, caller: null })).isSuccess;
    const isLetIn = answer.status < 400 && !isPlain;
    const at = `${row.method} ${row.encoding}`;
    const fault = `without credentials (${how}) the answer is ${answer.status}`;
    yield {
      clause: "matrix.refused",
      answer,
      witness: isPlain ? undefined : how,
      fault: isLetIn ? { at, fault } : undefined,
    };
    return;
  }
  const plain = await run.ask(
    toAsk(run, { ...given, row: { ...row, method: "GET", encoding: "plain" } }),
  );
  // The plain response itself is checked by other laws.
  const odd = answer === plain ? undefined : findDifference(run, answer, plain);
  const fault = odd !== undefined && (await isSteady(run, plain)) ? odd : undefined;
  yield {
    clause: "matrix.same",
    answer,
    witness: how,
    fault: fault && {
      at: `${row.method} ${row.encoding} ${row.caller}`,
      fault: `${fault} (${how})`,
    },
  };
  const lesser = row.caller === "second" ? await findStranger(run, given, answer) : undefined;
  if (lesser !== undefined)
    yield {
      clause: "matrix.same",
      answer,
      witness: how,
      fault: {
        at: row.caller,
        fault: `${lesser} comes here, and not in the second caller's whole list (${how})`,
      },
    };
}

function findDifference(run: Run, answer: Answer, plain: Answer): string | undefined {
  if (answer.method === "HEAD") {
    if (answer.status === 405 || answer.status === 501) return undefined;
    if (answer.status !== plain.status)
      return `HEAD is answered ${answer.status}, and GET ${plain.status}`;
    const odd = findOddHeader(plain, answer);
    return odd === undefined ? undefined : `HEAD has another ${odd} than GET`;
  }
  if (answer.status !== plain.status)
    return `answered ${answer.status}, and ${plain.status} if asked plainly`;
  const [came, expected] = [answer, plain].map((one) =>
    toComparable(run, one.operation.id, rowsOf(run, one)),
  );
  return isDeepStrictEqual(came, expected) ? undefined : "other rows come than if asked plainly";
}

async function findStranger(
  run: Run,
  { operation, list }: Case,
  answer: Answer,
): Promise<string | undefined> {
  const { second } = run.callers;
  const rule = run.ruleOf("perCaller", operation.id);
  if (rule === undefined || second === undefined || rule.between !== "disjoint") return undefined;
  const mine = keysOf(run, operation.id, list.rows);
  return rowsOf(run, answer)
    .map((one) => keyOf(run, operation.id, one))
    .find((key) => mine.includes(key));
}

function toAsk(run: Run, { operation, list, filters, row }: Case): Ask {
  const rule = run.ruleOf("page", operation.id);
  const plain: JsonObject = Object.assign({}, list.query, ...filters.slice(0, Number(row.filters)));
  const page = { page: row.page === "first" ? 0 : 1, size: PAGE_SIZE };
  const { query = plain } =
    rule?.index === undefined ? {} : pageAsk(rule, { operation: operation.id, query: plain }, page);
  const caller = {
    first: run.callers.first,
    second: run.callers.second ?? run.callers.first,
    none: null,
  }[row.caller];
  return {
    operation: operation.id,
    query,
    caller,
    ...(row.method === "HEAD" && { method: "HEAD" }),
    ...(row.encoding === "escaped" && Object.keys(query).length > 0 && { rewrite: escapeLetter }),
  };
}
