// A parameter that is left out is as if it had its default: a constant, today, or another parameter and some days.
import { isDeepStrictEqual } from "node:util";
import type { JsonObject } from "@call-media/contract-diff";
import { findList, keysOf, readAll, valuesOf } from "../values/lists.ts";
import { toRowPlace } from "../values/places.ts";
import { type Law, unchecked } from "./law.ts";

const DAY_MS = 86_400_000;
const MAX_STARTS = 2;

const toDay = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

export const defaultLaw: Law<"default"> = {
  cost: 6,
  judge: async function* judge({ param, is }, { id }, run) {
    const list = await findList(run, id);
    if (list === undefined || list.rows.length === 0) {
      yield unchecked("default", "no rows were found");
      return;
    }
    const { [param]: _param, ...rest } = list.query;
    const range = run.ruleOf("range", id);
    const fields = (range?.field ?? []).map((field) =>
      toRowPlace(field, run.listInfo(id)?.items ?? ""),
    );
    const days = [
      ...new Set(
        list.rows
          .flatMap((row) => valuesOf(row, fields))
          .map((value) => String(value).slice(0, 10)),
      ),
    ].toSorted();
    for (const { query, value } of toCases(is, days)) {
      const asked = { ...rest, ...query };
      const bare = await readAll(run, { operation: id, query: asked });
      const full = await readAll(run, { operation: id, query: { ...asked, [param]: value } });
      const [answer] = bare.answers;
      if (answer?.isSuccess !== true || full.answers[0]?.isSuccess !== true) continue;
      const [without, withIt] = [bare, full].map(({ rows }) => keysOf(run, id, rows));
      const odd = [...(without ?? []), ...(withIt ?? [])].find(
        (key) => !(without?.includes(key) && withIt?.includes(key)),
      );
      const fault = isDeepStrictEqual(without, withIt)
        ? undefined
        : `left out, ${param} is not as ${param}=${String(value)}: ${odd ?? "the order"} differs`;
      yield {
        clause: "default.default",
        answer,
        witness:
          full.rows.length > 0 ? "rows that tell the default from its neighbours" : undefined,
        fault: fault && { at: param, fault },
      };
    }
  },
};

interface Case {
  readonly query: JsonObject;
  readonly value: unknown;
}

/** From a start such that a row lies on the very last day, and one such that a row lies on the day after it. */
function toCases(is: string | number | boolean, days: readonly string[]): Case[] {
  const [, name, sign = "+", count] = /^(\w+)(?: ([+-]) (\d+) days?)?$/.exec(String(is)) ?? [];
  if (name === undefined || (name !== "today" && count === undefined))
    return [{ query: {}, value: is }];
  const shift = (sign === "-" ? -1 : 1) * Number(count ?? 0) * DAY_MS;
  if (name === "today") return [{ query: {}, value: toDay(Date.now() + shift) }];
  const chosen = [days[days.length >> 1], days[0]].filter((day) => day !== undefined);
  const starts = chosen.flatMap((day) => [
    Date.parse(day) - shift,
    Date.parse(day) - shift - DAY_MS,
  ]);
  return [...new Set(starts)]
    .slice(0, MAX_STARTS)
    .map((start) => ({ query: { [name]: toDay(start) }, value: toDay(start + shift) }));
}
