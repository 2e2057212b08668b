// Different keys give different content, and a list has each key once.
import { isDeepStrictEqual } from "node:util";
import type { Answer } from "../ask.ts";
import { knownValues, sourceOf } from "../values/candidates.ts";
import { findList, keysOf } from "../values/lists.ts";
import { at, headerOf, show } from "../values/places.ts";
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
    // Two that were just created, if that is where keys come from.
    const source = sourceOf(run, parameter.name)?.operation;
    const keys: unknown[] = [];
    if (source !== undefined && run.listInfo(source) === undefined)
      for (let count = 0; count < 2; count += 1) {
        const made = await create(run, source);
        if (typeof made !== "string") keys.push(made.key);
      }
    else keys.push(...[...new Set(knownValues(run, parameter.name))].slice(0, 2));
    if (keys.length < 2) {
      yield unchecked("distinct", `fewer than two values of ${parameter.name} were found`);
      return;
    }
    const where = parameter.in === "path" ? "path" : "query";
    const answers: Answer[] = [];
    for (const key of keys)
      answers.push(await run.ask({ operation: operation.id, [where]: { [parameter.name]: key } }));
    const [one, other] = answers;
    if (one?.isSuccess !== true || other?.isSuccess !== true) {
      yield unchecked("distinct", "one of the two keys is not answered by a success");
      return;
    }
    const contentOf = (answer: Answer): unknown => {
      const header = headerOf(rule.content ?? "");
      if (header !== undefined) return answer.headers.get(header);
      return rule.content === undefined ? answer.sha256 : at(answer.json, rule.content);
    };
    yield {
      clause: "distinct.content",
      answer: other,
      witness: "two keys",
      fault: isDeepStrictEqual(contentOf(one), contentOf(other))
        ? `the keys ${show(keys[0])} and ${show(keys[1])} give the same content`
        : undefined,
    };
  },
};
