// What a search says beside its records: recordCount, Content-Range and the link to the next page.
import { toCounted } from "../archive/records.ts";
import { PAGE_SIZE, searchOf, type Window } from "../archive/window.ts";
import { type Answer, isObject, isSuccess, recordsOf } from "../answer.ts";
import type { Run } from "../run.ts";
import { unless } from "../run.ts";

export function proveCounts(run: Run, { pages, records, past }: Window): void {
  const counts = pages.map(({ answer }) =>
    isObject(answer.json) ? answer.json["recordCount"] : undefined,
  );
  const isOfAll = counts.every((count) => count === records.length);
  const isOfPage = pages.every(({ records: { length } }, index) => counts[index] === length);
  const answer = pages[0]?.answer ?? past;
  if (answer === undefined) return;
  const fault = `recordCount is ${[...new Set(counts)].join(", ")}; the pages have ${toCounted(records)}`;
  run.prove("count.total", answer, unless(isOfAll, fault));
  const observed = isOfAll ? "all pages" : isOfPage ? "the page" : "something else";
  if (isOfAll && isOfPage && pages.length > 0) return;
  run.observe({
    decision: "D10",
    question: "What does recordCount count?",
    observed: pages.length === 0 ? "nothing to count" : observed,
    value: observed,
    agrees: isOfAll,
  });
  if (pages.length > 0) run.learn({ recordCount: isOfAll ? "all" : isOfPage ? "page" : null });
}

export async function proveCountHeader(
  run: Run,
  { search, base, records, past }: Window,
): Promise<void> {
  for (const index of [0, 1]) {
    const ask = searchOf(search, base + index);
    const answer = await run.ask({ ...ask, headers: { Prefer: "count=exact" } });
    if (!isSuccess(answer)) continue;
    const { length } = recordsOf(answer);
    const first = index * PAGE_SIZE;
    const range = length === 0 ? "*" : `${first}-${first + length - 1}`;
    const found = answer.headers.get("Content-Range") ?? "missing";
    const total = past === undefined ? found.split("/")[1] : records.length;
    const isRight = found === `records ${range}/${total}`;
    const applied = answer.headers.get("Preference-Applied") ?? "missing";
    const fault = isRight
      ? unless(applied === "count=exact", `Preference-Applied is ${applied}`)
      : `Content-Range is ${found}; the pages have ${toCounted(records)}`;
    run.prove("count.header", answer, fault);
  }
}

export function findLinkFault(
  { headers, sent, ask: { query = {} } }: Answer,
  isDue: boolean,
  hasNext: boolean,
) {
  if (hasNext !== isDue) return hasNext ? "Link names a page that is not there" : "Link is missing";
  if (!isDue) return undefined;
  const [, target = ""] = /<([^>]*)>/.exec(headers.get("Link") ?? "") ?? [];
  const [asked, next] = [new URL(sent.url), URL.parse(target, sent.url)];
  if (next?.origin !== asked.origin || next.pathname !== asked.pathname)
    return `Link leads to ${JSON.stringify(target)}, not to ${JSON.stringify(`${asked.origin}${asked.pathname}`)}`;
  const wanted = { ...query, pageIndex: String(Number(query["pageIndex"]) + 1) };
  const wrong = Object.entries(wanted).find(
    ([name, value]) => next.searchParams.get(name) !== value,
  );
  const has = wrong && JSON.stringify(next.searchParams.get(wrong[0]));
  return wrong && `Link has the ${wrong[0]} ${has}, not ${JSON.stringify(wrong[1])}`;
}
