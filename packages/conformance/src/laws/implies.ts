// Each row that fits one schema fits another.
import { Ajv2020 } from "ajv/dist/2020.js";
import { findRight } from "../values/requests.ts";
import { reach, show } from "../values/places.ts";
import { type Law, unchecked } from "./law.ts";

export const impliesLaw: Law<"implies"> = {
  cost: 1,
  judge: async function* judge(rule, operation, run) {
    const right = await findRight(run, operation.id);
    if (typeof right === "string") {
      yield unchecked("implies", right);
      return;
    }
    const answer = await run.ask(right.ask);
    if (!answer.isSuccess) {
      yield unchecked("implies", `answered ${answer.status}`);
      return;
    }
    const ajv = new Ajv2020({ strict: false, logger: false });
    const [fits, follows] = [ajv.compile(rule.if), ajv.compile(rule.then)];
    const items = run.listInfo(operation.id)?.items;
    const each = rule.each ?? (items === undefined ? "" : items === "" ? "*" : `${items}/*`);
    const rows = reach(answer.json, each).filter((row) => fits(row));
    const wrong = rows.find((row) => !follows(row));
    yield {
      clause: "implies.holds",
      answer,
      witness: rows.length > 0 ? "a row that fits if" : undefined,
      fault:
        wrong === undefined
          ? undefined
          : { at: each, fault: `${show(wrong)} fits if, and not then` },
    };
  },
};
