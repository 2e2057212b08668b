// A total counts the rows: under no filter and one, on the first and on later pages, for each caller.
import type { JsonObject } from "@call-media/contract-diff";
import type { Caller } from "../ask.ts";
import { findList, readAll, valuesOf } from "../values/lists.ts";
import { hasSize, pageAsk, totalOf } from "../values/pages.ts";
import { headerOf, show } from "../values/places.ts";
import { filtersOf } from "./filter.ts";
import { type Law, unchecked } from "./law.ts";

export const countLaw: Law<"count"> = {
  cost: 5,
  judge: async function* judge(rule, operation, run) {
    const list = await findList(run, operation.id);
    if (list === undefined || list.rows.length === 0) {
      yield unchecked("count", "no rows were found");
      return;
    }
    const page = run.ruleOf("page", operation.id);
    const headers = Object.fromEntries(
      Object.entries(rule.ask ?? {}).flatMap(([place, value]) =>
        headerOf(place) === undefined ? [] : [[headerOf(place) ?? "", String(value)]],
      ),
    );
    const asked = Object.fromEntries(
      Object.entries(rule.ask ?? {}).filter(([place]) => headerOf(place) === undefined),
    );
    const filter = run.ruleOf("filter", operation.id);
    const [one] = filter === undefined ? [] : filtersOf(run, filter, operation);
    const value = one && (one.rule.when ?? valuesOf(list.rows[0], one.fields)[0]);
    const cases: { readonly query: JsonObject; readonly caller?: Caller }[] = [
      { query: {} },
      ...(one !== undefined && value !== undefined && one.rule.match !== "contains"
        ? [{ query: { [one.by]: value } }]
        : []),
      ...(run.callers.second === undefined ? [] : [{ query: {}, caller: run.callers.second }]),
    ];
    for (const { query, caller } of cases) {
      const ask = {
        operation: operation.id,
        query: { ...list.query, ...query, ...asked },
        ...(Object.keys(headers).length > 0 && { headers }),
        ...(caller && { caller }),
      };
      const read = await readAll(run, ask);
      if (!read.isWhole) continue;
      const small =
        page !== undefined && hasSize(page)
          ? await run.ask(pageAsk(page, ask, { page: 0, size: 2 }))
          : undefined;
      for (const answer of [read.answers[0], small]) {
        if (answer?.isSuccess !== true) continue;
        const total = totalOf(answer, rule.total);
        const isWrong = rule.exact === false ? (total ?? 0) < 0 : total !== read.rows.length;
        const fault = `${rule.total} is ${show(total)}, and ${read.rows.length} rows come`;
        yield {
          clause: caller === undefined ? "count.total" : "count.caller",
          answer,
          witness: read.rows.length > 2 ? `${read.rows.length} rows` : undefined,
          fault: isWrong ? { at: rule.total, fault } : undefined,
        };
      }
    }
  },
};
