// Each row that fits one schema fits another.
import { Ajv2020 } from "ajv/dist/2020.js";
import { findRight } from "../values/requests.ts";
import { reach, show } from "../values/places.ts";
import { type Law, unchecked } from "./law.ts";

export const impliesLaw: Law<"implies"> = {
  cost: 1,
  judge: async function* judge(rule, operation, run) {
    const ajv = new Ajv2020({ strict: false, logger: false });
    const [fits, follows] = [ajv.compile(rule.if), ajv.compile(rule.then)];
    const items = run.listInfo(operation.id)?.items;
    const each = rule.each ?? (items === undefined ? "" : items === "" ? "*" : `${items}/*`);
    let why = "no row fits if";
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
      const right = await findRight(run, operation.id, attempt);
      if (typeof right === "string") break;
      const answer = await run.ask(right.ask);
      if (!answer.isSuccess) {
        why = `answered ${answer.status}`;
        continue;
      }
      const rows = reach(answer.json, each).filter((row) => fits(row));
      if (rows.length === 0) continue;
      const wrong = rows.find((row) => !follows(row));
      const fault =
        wrong === undefined
          ? undefined
          : { at: each, fault: `${show(wrong)} fits if, and not then` };
      yield { clause: "implies.holds", answer, witness: "a row that fits if", fault };
      return;
    }
    yield unchecked("implies", why);
  },
};

/** Of what is read by key, another one may fit. */
const MAX_ATTEMPTS = 3;
