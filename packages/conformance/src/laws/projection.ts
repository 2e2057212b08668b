// A parameter that names fields: the response has these fields, and otherwise only those that identify a row.
import { type Run, toFields } from "../run.ts";
import type { Answer } from "../ask.ts";
import { rowsOf } from "../values/lists.ts";
import { toQueryValue } from "../values/places.ts";
import { findRight } from "../values/requests.ts";
import { type Judgement, type Law, unchecked } from "./law.ts";

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
      const query = { ...right.ask.query, [by]: asked };
      const answer = await run.ask({ ...right.ask, query });
      const witness = others.length > MAX_ASIDE ? `${others.length} other fields` : undefined;
      if (answer.isSuccess) yield* judgeFields(run, answer, { by, asked, witness });
      else
        yield {
          clause: "projection.others",
          answer,
          witness,
          fault: `a right request (${by}=${asked}) is answered ${answer.status}`,
        };
    }
  },
  ofOne: ["projection.others", "projection.named"],
  judgeOne: function* judgeOne({ by, fields }, answer, run) {
    const asked = toQueryValue(answer.ask, by);
    // Other names may be of a language of its own, or of fields that not every row has.
    if (typeof asked !== "string" || !asked.split(",").every((name) => fields.includes(name)))
      return;
    const { length } = thingsOf(run, answer);
    if (length > 0) yield* judgeFields(run, answer, { by, asked, witness: "a row" });
  },
};

interface Projected {
  readonly by: string;
  /** Names with commas between them. */
  readonly asked: string;
  readonly witness: string | undefined;
}

function* judgeFields(
  run: Run,
  answer: Answer,
  { by, asked, witness }: Projected,
): Generator<Judgement> {
  const names = asked.split(",");
  const rows = thingsOf(run, answer).map((row) => Object.keys(toFields(row)));
  const extra = rows.map((row) => row.filter((name) => !names.includes(name)));
  const wide = extra.find((row) => row.length > MAX_ASIDE);
  const lost = names.find((name) => rows.some((row) => !row.includes(name)));
  yield {
    clause: "projection.others",
    answer,
    witness,
    fault: wide && `with ${by}=${asked} come ${wide.length} other fields, such as "${wide[0]}"`,
  };
  yield {
    clause: "projection.named",
    answer,
    witness: "a field that is asked for",
    fault: lost === undefined ? undefined : `with ${by}=${asked} comes no "${lost}"`,
  };
}

const thingsOf = (run: Run, answer: Parameters<typeof rowsOf>[1]): readonly unknown[] =>
  run.listInfo(answer.operation.id) === undefined
    ? [answer.json].filter((one) => one !== undefined)
    : rowsOf(run, answer);
