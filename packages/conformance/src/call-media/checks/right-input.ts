// Valid requests that are seldom sent. A service that refuses them, or fails on them, has drifted.
import { routes } from "@call-media/api";
import { addDays, today } from "../archive/days.ts";
import { impossible } from "../archive/records.ts";
import { type OpenSearch, type SearchOperation } from "../archive/searches.ts";
import { searchOf } from "../archive/window.ts";
import { type Answer, type Ask, isPassed } from "../../ask.ts";
import { type Run, unless } from "../run.ts";
import type { Check } from "./check.ts";
import { FAMILIES, filterBy, proveMatches } from "./filters.ts";

/** Searches that every archive can answer, whatever its content. */
const PLAIN: Readonly<Record<SearchOperation, OpenSearch["body"]>> = {
  searchMetadataByCustomFields: { custom_field_1: "none" },
  searchMetadata: { agent: "nobody" },
};

/** Runs if no search succeeded: nothing is known of the archive then, but these searches are known to be valid. */
export const searchesTaken: Check = {
  about: "searches that are refused",
  proves: ["answer.success"],
  cost: 4,
  run: async ({ run, sample: { window } }) => {
    if (window !== undefined) return;
    const range = { startDate: addDays(today(), -7), endDate: today() };
    for (const { operation } of FAMILIES) {
      const search = { operation, body: PLAIN[operation], ...range };
      // Either of the two may be the first page.
      const answers = [await run.ask(searchOf(search, 0)), await run.ask(searchOf(search, 1))];
      const [first] = answers;
      const isTaken = answers.some((answer) => answer.isSuccess || answer.status === 404);
      const fault = `a search of a week by one field is answered ${first?.status}`;
      if (first !== undefined) run.prove("answer.success", first, unless(isTaken, fault));
    }
  },
};

const toForeign = (run: Run): string => `${impossible(run)}-\u00e9\u6f22\u{1f980}`;

/** The limits of what the document allows. A failure there is a 5xx, which every response is checked for. */
export const extremes: Check = {
  about: "right input at its bounds",
  proves: ["filter.named", "filter.custom", "page.past"],
  cost: 14,
  run: async ({ run, sample: { window } }) => {
    await Promise.all(listForeign(run).map((ask) => run.ask(ask)));
    if (window === undefined) return;
    for (const { operation, fields, id } of FAMILIES) {
      const [field = ""] = fields;
      const filter = { [field]: toForeign(run) };
      const answer = await filterBy(run, window, { operation, filter });
      proveMatches(run, id, { answer, filter });
      const search = { ...window.search, operation, body: filter };
      provePast(run, await run.ask(searchOf(search, greatestPage(operation))));
    }
  },
};

function provePast(run: Run, answer: Answer): void {
  const isTaken = isPassed(answer) || answer.status === 404;
  const fault = `the greatest pageIndex is answered ${answer.status}`;
  run.prove("answer.success", answer, unless(isTaken, fault));
  run.prove("page.past", answer, unless(answer.status === 200, fault));
}

/** A non-ASCII identifier for each operation that accepts one. */
function listForeign(run: Run): readonly Ask[] {
  return routes.flatMap(({ operationId: operation, parameters }) => {
    const name = parameters.find((parameter) => parameter.in === "path")?.name;
    return name === undefined ? [] : [{ operation, path: { [name]: toForeign(run) } }];
  });
}

function greatestPage(operation: SearchOperation): number {
  const route = routes.find(({ operationId }) => operationId === operation);
  const page = route?.parameters.find(({ name }) => name === "pageIndex");
  return page?.schema.maximum ?? 1_000;
}
