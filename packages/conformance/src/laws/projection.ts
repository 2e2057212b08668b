// A parameter that names fields: the response has these fields, and otherwise only those that identify a row.
import { type Run, toFields } from "../run.ts";
import { rowsOf } from "../values/lists.ts";
import { findRight } from "../values/requests.ts";
import { type Law, unchecked } from "./law.ts";

/** Many services always show a key and a type. */
const MAX_ASIDE = 2;

export const projectionLaw: Law<"projection"> = {
  cost: 3,
  judge: async function* judge({ by, fields }, operation, run) {
    const right = await findRight(run, operation.id);
    const whole = typeof right === "string" ? undefined : await run.ask(right.ask);
    const [like] = whole === undefined ? [] : thingsOf(run, whole);
    if (typeof right === "string" || whole === undefined || like === undefined) {
      yield unchecked("projection", typeof right === "string" ? right : "no rows were found");
      return;
    }
    const others = Object.keys(toFields(like)).filter((name) => !fields.includes(name));
    for (const asked of new Set([fields.join(","), fields[0] ?? ""])) {
      const names = asked.split(",");
      const query = { ...right.ask.query, [by]: asked };
      const answer = await run.ask({ ...right.ask, query });
      const rows = thingsOf(run, answer).map((row) => Object.keys(toFields(row)));
      const extra = rows.map((row) => row.filter((name) => !names.includes(name)));
      const wide = extra.find((row) => row.length > MAX_ASIDE);
      const lost = names.find((name) => rows.some((row) => !row.includes(name)));
      yield {
        clause: "projection.others",
        answer,
        witness: others.length > MAX_ASIDE ? `${others.length} other fields` : undefined,
        fault: !answer.isSuccess
          ? `a right request (${by}=${asked}) is answered ${answer.status}`
          : wide && `with ${by}=${asked} come ${wide.length} other fields, such as "${wide[0]}"`,
      };
      yield {
        clause: "projection.named",
        answer,
        witness: "a field that is asked for",
        fault:
          answer.isSuccess && lost !== undefined
            ? `with ${by}=${asked} comes no "${lost}"`
            : undefined,
      };
    }
  },
};

const thingsOf = (run: Run, answer: Parameters<typeof rowsOf>[1]): readonly unknown[] =>
  run.listInfo(answer.operation.id) === undefined
    ? [answer.json].filter((one) => one !== undefined)
    : rowsOf(run, answer);
