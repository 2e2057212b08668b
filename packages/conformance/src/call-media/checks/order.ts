// The order of records by datetime.
import { toName } from "../archive/records.ts";
import { parseMoment } from "../../values/moments.ts";
import type { Answer, JsonObject } from "../answer.ts";
import type { Run } from "../run.ts";

/** Only moments that are comparable whatever the time zone of the archive is. */
export function findDisorder(records: readonly JsonObject[]): string | undefined {
  const moments = records.map((record) => ({ record, moment: parseMoment(record["datetime"]) }));
  for (const hasOffset of [true, false]) {
    const comparable = moments.filter(({ moment }) => moment?.hasOffset === hasOffset);
    const at = comparable.findIndex(
      ({ moment }, index) => (moment?.ms ?? 0) > (comparable[index - 1]?.moment?.ms ?? Infinity),
    );
    if (at !== -1) return `${toName(comparable[at]?.record)} comes after an older one`;
  }
  return undefined;
}

export function proveOrder(
  run: Run,
  answer: Answer | undefined,
  records: readonly JsonObject[],
): void {
  if (answer === undefined) return;
  const fault = findDisorder(records);
  const isNewestFirst = fault === undefined;
  const isOldestFirst = findDisorder(records.toReversed()) === undefined;
  run.prove("order.newest", answer, fault);
  const observed = isNewestFirst ? "newest first" : isOldestFirst ? "oldest first" : "another";
  run.observe({
    decision: "D09",
    question: `In which order does ${answer.ask.operation} give records?`,
    observed,
    value: observed,
    agrees: isNewestFirst,
  });
  // Records of one instant stand in every order.
  if (isNewestFirst && isOldestFirst) return;
  const order = isNewestFirst ? "newest-first" : isOldestFirst ? "oldest-first" : "other";
  run.learn({ order });
}
