// What the relations show about questions that the interface leaves open: the first and last page, the order, the count.
import type { Judgement } from "../laws/law.ts";
import { isObject } from "@call-media/contract-diff";
import { recordsOf } from "./answer.ts";
import { PAGE_SIZE, type Window } from "./archive/window.ts";
import { toCounted, toSet } from "./archive/records.ts";
import type { Check } from "./checks/check.ts";
import type { Notes } from "./notes.ts";
import { type Run, unless } from "./run.ts";

/** Pages of the widest search: the range that is read completely may be narrower than one page. */
export const opening: Check = {
  about: "the first pages",
  proves: ["page.base", "page.size", "page.distinct"],
  cost: 2,
  run: async ({ run, sample: { window } }) => {
    if (window === undefined) return;
    const [first, second] = window.opening;
    observeBase(run, window);
    if (first === undefined || second === undefined || second.records.length === 0) return;
    const { length } = first.records;
    const isFull = length === PAGE_SIZE;
    const fault = `a page has ${toCounted(first.records)} and is not the last`;
    run.learn({ pageSize: length });
    run.prove("page.size", first.answer, unless(isFull, fault));
    const isSame = toSet(first.records) === toSet(second.records);
    run.prove("page.distinct", second.answer, unless(!isSame, "the second page is the first"));
  },
};

function observeBase(run: Run, { base, opening: first, pages, past }: Window): void {
  const answer = pages[0]?.answer ?? past;
  // In an empty archive every page is empty, unless the service rejects pageIndex 0.
  const isSeen = base === 1 || first.some(({ records }) => records.length > 0);
  if (isSeen) run.learn({ firstPage: base });
  if (answer !== undefined)
    run.prove("page.base", answer, unless(base === 0, "the first page has pageIndex 1"));
  run.observe({
    decision: "D07",
    question: "Where does pageIndex begin?",
    observed: `at ${base}`,
    value: base,
    agrees: base === 0,
  });
}

export function observePast(run: Notes, { answer: { status, json } }: Judgement): void {
  const isEmpty = recordsOf({ json }).length === 0;
  const observed = isEmpty ? String(status) : `${status}, with the last page again`;
  run.observe({
    decision: "D07",
    question: "How is a page past the end answered?",
    observed,
    value: status,
    agrees: status === 200 && isEmpty,
  });
  if (status < 500 && isEmpty) run.learn({ pastTheEndStatus: status });
}

const ORDERS = {
  ordered: ["newest first", "newest-first"],
  reversed: ["oldest first", "oldest-first"],
  other: ["another", "other"],
} as const;

export function observeOrder(run: Notes, { answer, saw }: Judgement): void {
  // Records of the same instant may be in any order.
  if (saw !== "ordered" && saw !== "reversed" && saw !== "other") return;
  const [observed, order] = ORDERS[saw];
  run.observe({
    decision: "D09",
    question: `In which order does ${answer.operation.id} give records?`,
    observed,
    value: observed,
    agrees: saw === "ordered",
  });
  run.learn({ order });
}

/** All judgements of the count. A list of one page shows nothing. */
export function observeCount(run: Notes, told: readonly Judgement[]): void {
  const counts = told.filter(({ answer: { json } }) => isObject(json) && "recordCount" in json);
  const isOfAll = counts.every(({ fault }) => fault === undefined);
  const isOfPage = counts.every(({ saw }) => saw === "page");
  if (isOfAll && isOfPage) return;
  const observed = isOfAll ? "all pages" : isOfPage ? "the page" : "something else";
  run.observe({
    decision: "D10",
    question: "What does recordCount count?",
    observed,
    value: observed,
    agrees: isOfAll,
  });
  run.learn({ recordCount: isOfAll ? "all" : isOfPage ? "page" : null });
}
