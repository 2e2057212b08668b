// Each row that matches one schema matches another one.
import { Ajv2020 } from "ajv/dist/2020.js";
import type { PlacedFault } from "../fingerprint.ts";
import { toBodyFault } from "../json/fault-words.ts";
import { findRight } from "../values/requests.ts";
import { reach } from "../values/places.ts";
import { type Law, unchecked } from "./law.ts";

export const impliesLaw: Law<"implies"> = {
  cost: 1,
  judge: async function* judge(rule, operation, run) {
    const ajv = new Ajv2020({ strict: false, logger: false, verbose: true });
    const [fits, follows] = [ajv.compile(rule.if), ajv.compile(rule.then)];
    const items = run.listInfo(operation.id)?.items;
    const each = rule.each ?? (items === undefined ? "" : items === "" ? "*" : `${items}/*`);
    let why: string | undefined = "no row fits if";
    let asked = "";
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
      const right = await findRight(run, operation.id, attempt);
      if (typeof right === "string" || JSON.stringify(right.ask) === asked) break;
      asked = JSON.stringify(right.ask);
      const answer = await run.ask(right.ask);
      if (!answer.isSuccess) {
        why &&= `answered ${answer.status}`;
        continue;
      }
      const rows = reach(answer.json, each).filter((row) => fits(row));
      if (rows.length === 0) continue;
      why = undefined;
      const fault = rows.map(toFault).find((one) => one !== undefined);
      yield { clause: "implies.holds", answer, witness: "a row that fits if", fault };
    }
    if (why !== undefined) yield unchecked("implies", why);

    function toFault(row: unknown): PlacedFault | undefined {
      if (follows(row)) return undefined;
      const [error] = follows.errors ?? [];
      const place = each === "" ? "" : `/${each}`;
      return error && toBodyFault({ ...error, instancePath: `${place}${error.instancePath}` });
    }
  },
};

/** Maximum number of things read by key, since only some may match the condition. */
const MAX_ATTEMPTS = 4;
