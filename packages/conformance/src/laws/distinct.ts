// Different keys have different content, and a list has each key once.
import type { Answer } from "../ask.ts";
import type { RuleOf } from "../relations/kinds.ts";
import { knownValues, sourceOf } from "../values/candidates.ts";
import { findList, keysOf } from "../values/lists.ts";
import { at, headerOf, reach, show } from "../values/places.ts";
import { create } from "../values/requests.ts";
import { type Law, unchecked } from "./law.ts";

export const distinctLaw: Law<"distinct"> = {
  cost: 4,
  judge: async function* judge(rule, operation, run) {
    const parameter =
      operation.parameters.find(({ name }) => name === rule.key?.[0]) ??
      operation.parameters.findLast((one) => one.in === "path");
    if (parameter === undefined) {
      const list = await findList(run, operation.id);
      if (list === undefined || list.rows.length < 2) {
        yield unchecked("distinct", "fewer than two rows were found");
        return;
      }
      const keys =
        rule.content === undefined
          ? keysOf(run, operation.id, list.rows)
          : list.rows.map((row) => show(at(row, rule.content?.split("/").at(-1) ?? "")));
      const twice = keys.find((key, index) => keys.indexOf(key) < index);
      const answer = await run.ask({ operation: operation.id, query: list.query });
      yield {
        clause: "distinct.key",
        answer,
        witness: "two rows",
        fault: twice === undefined ? undefined : `${twice} is there twice`,
      };
      return;
    }
    // Uses two newly created things if keys come from a creation.
    const source = sourceOf(run, operation, parameter.name)?.operation;
    const keys: unknown[] = [];
    if (source !== undefined && run.listInfo(source) === undefined)
      for (let count = 0; count < 2; count += 1) {
        const made = await create(run, source);
        if (typeof made !== "string") keys.push(made.key);
      }
    else {
      await findList(run, source ?? operation.id);
      const asked = run.found.paths.get(operation.id)?.map((path) => path[parameter.name]) ?? [];
      const known = new Set([...asked, ...knownValues(run, operation, parameter.name)]);
      known.delete(undefined);
      keys.push(...[...known].slice(0, MAX_KEYS));
    }
    const where = parameter.in === "path" ? "path" : "query";
    const told: { readonly key: unknown; readonly answer: Answer }[] = [];
    for (const key of keys) {
      const ask = { operation: operation.id, [where]: { [parameter.name]: key } };
      const answer = await run.ask(ask);
      if (answer.isSuccess) told.push({ key, answer });
    }
    if (told.length < 2) {
      yield unchecked("distinct", `fewer than two values of ${parameter.name} are answered`);
      return;
    }
    for (const [index, { key, answer }] of told.entries()) {
      const own = contentsOf(answer, rule);
      const other = told
        .slice(0, index)
        .find((before) => contentsOf(before.answer, rule).some((value) => own.includes(value)));
      if (index === 0) continue;
      yield {
        clause: "distinct.content",
        answer,
        witness: own.length > 0 ? "two keys" : undefined,
        fault: other && `the keys ${show(other.key)} and ${show(key)} give the same content`,
      };
    }
  },
};

const MAX_KEYS = 4;

/** As text: one for each value at a place with `*`. No other key may have the same. */
function contentsOf(answer: Answer, { content }: RuleOf<"distinct">): readonly string[] {
  if (content === undefined) return [answer.sha256];
  const header = headerOf(content);
  return header === undefined
    ? reach(answer.json, content)
        .map((value) => JSON.stringify(value))
        .filter((text) => text !== "[]") // many things may have nothing
    : [answer.headers.get(header) ?? ""];
}
