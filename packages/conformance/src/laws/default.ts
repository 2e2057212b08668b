// Leaving a parameter out has the effect of its default: a constant, today, or another parameter plus or minus days or hours.
import { isDeepStrictEqual } from "node:util";
import type { JsonObject } from "@call-media/contract-diff";
import { findList, keysOf, readAll, valuesOf } from "../values/lists.ts";
import { toRowPlace } from "../values/places.ts";
import { type Law, unchecked } from "./law.ts";

const UNITS = { day: 86_400_000, hour: 3_600_000, minute: 60_000 } as const;

export const defaultLaw: Law<"default"> = {
  cost: 6,
  judge: async function* judge({ param, is }, { id }, run) {
    const list = await findList(run, id);
    if (list === undefined || list.rows.length === 0) {
      yield unchecked("default", "no rows were found");
      return;
    }
    const { [param]: _param, ...rest } = list.query;
    const items = run.listInfo(id)?.items ?? "";
    const fields = (run.ruleOf("range", id)?.field ?? []).map((field) => toRowPlace(field, items));
    const shown = list.rows.flatMap((row) => valuesOf(row, fields)).map(String);
    for (const { query, value } of toCases(is, shown.toSorted())) {
      const asked = { ...rest, ...query };
      const bare = await readAll(run, { operation: id, query: asked });
      const full = await readAll(run, { operation: id, query: { ...asked, [param]: value } });
      const [answer] = bare.answers;
      if (answer?.isSuccess !== true || full.answers[0]?.isSuccess !== true) continue;
      const [without, withIt] = [bare, full].map(({ rows }) => keysOf(run, id, rows));
      const odd = [...(without ?? []), ...(withIt ?? [])].find(
        (key) => !(without?.includes(key) && withIt?.includes(key)),
      );
      const fault = `left out, ${param} is not as ${param}=${String(value)}: ${odd ?? "the order"} differs`;
      yield {
        clause: "default.default",
        answer,
        witness:
          full.rows.length > 0 ? "rows that tell the default from its neighbours" : undefined,
        fault: isDeepStrictEqual(without, withIt) ? undefined : { at: param, fault },
      };
    }
  },
};

interface Case {
  readonly query: JsonObject;
  readonly value: unknown;
}

/** A start for which a row is at the very end, and one for which a row is just beyond it. */
function toCases(is: string | number | boolean, shown: readonly string[]): Case[] {
  const [, name, sign = "+", count = "0", unit = "day"] =
    /^(\w+)(?: ([+-]) (\d+) (day|hour|minute)s?)?$/.exec(String(is)) ?? [];
  if (name === undefined || (name !== "today" && count === "0")) return [{ query: {}, value: is }];
  const step = UNITS[unit as keyof typeof UNITS]; // one of them, by the pattern
  const shift = (sign === "-" ? -1 : 1) * Number(count) * step;
  const isDay = unit === "day";
  const write = (ms: number) => {
    const text = new Date(ms).toISOString();
    return isDay ? text.slice(0, 10) : text.replace(".000Z", "Z");
  };
  if (name === "today") return [{ query: {}, value: write(Date.now() + shift) }];
  const middle = shown[shown.length >> 1];
  if (middle === undefined) return [];
  const end = Date.parse(isDay ? middle.slice(0, 10) : middle);
  const beyond = isDay ? step : 1_000;
  return [end - shift, end - shift - beyond].map((start) => ({
    query: { [name]: write(start) },
    value: write(start + shift),
  }));
}
