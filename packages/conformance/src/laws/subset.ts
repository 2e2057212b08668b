// Additional parameters never add rows.
import { findList, keysOf, readAll } from "../values/lists.ts";
import { type Law, unchecked } from "./law.ts";

export const subsetLaw: Law<"subset"> = {
  cost: 2,
  judge: async function* judge(rule, { id }, run) {
    const list = await findList(run, id);
    if (list === undefined || list.rows.length === 0 || !list.isWhole) {
      yield unchecked("subset", "no whole list was found");
      return;
    }
    const { rows, answers, isWhole } = await readAll(run, {
      operation: id,
      query: { ...list.query, ...rule.with },
    });
    const [answer] = answers;
    if (answer === undefined) return;
    const how = Object.entries(rule.with)
      .map(([name, value]) => `${name}=${String(value)}`)
      .join(", ");
    const all = keysOf(run, id, list.rows);
    const stranger = keysOf(run, id, rows).find((key) => !all.includes(key));
    const isSame = rule.proper === true && isWhole && rows.length === list.rows.length;
    const fault = !answer.isSuccess
      ? `a right request (${how}) is answered ${answer.status}`
      : stranger === undefined
        ? isSame
          ? `with ${how} come all rows`
          : undefined
        : `${stranger} comes with ${how}, and not without`;
    yield { clause: "subset.subset", answer, witness: `${list.rows.length} rows`, fault };
  },
};
