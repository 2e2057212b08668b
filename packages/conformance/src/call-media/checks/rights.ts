// What a caller with fewer rights gets. Reported even if it is not a fault: the interface does not mention rights (D21, D22).
import type { OperationId } from "@call-media/api";
import type { Answer } from "../../ask.ts";
import { recordsOf } from "../answer.ts";
import { RECORDINGS } from "../operations.ts";
import type { Observed } from "../notes.ts";
import type { Run } from "../run.ts";

/** A request by the second caller. `fault` describes returned data outside their rights. */
export interface Attempt {
  readonly id: string;
  readonly operation: OperationId;
  readonly answer: Pick<Answer, "json">;
  readonly fault: string | undefined;
}

const get = (what: string) => `What does a caller with fewer rights get of ${what}?`;
const LISTED = "Whom does a caller with fewer rights list?";

function toQuestion({ id, operation }: Attempt): string | undefined {
  if (operation === "listUsers") return LISTED;
  const isRecording = RECORDINGS.some((one) => one === operation);
  const questions: Readonly<Record<string, string>> = {
    "rights.records": `What does a caller with fewer rights find? (${operation})`,
    "rights.hidden": get(isRecording ? "a recording beyond their rights" : "a hidden record"),
    "rights.download": get("a recording beyond their rights"),
    "rights.users": get("other users"),
    "rights.private-flags": get("other users"),
  };
  return questions[id];
}

const decisionOf = (question: string): Observed["decision"] =>
  question === LISTED || question === get("other users") ? "D22" : "D21";

export function observeRights(run: Pick<Run, "observe">, attempts: readonly Attempt[]): void {
  for (const [question, asked] of Map.groupBy(attempts, toQuestion)) {
    if (question === undefined) continue;
    const leaks = new Map(
      asked.flatMap(({ operation, fault }) =>
        fault === undefined ? [] : [[operation, `${operation}: ${fault}`] as const],
      ),
    );
    const isList = question === LISTED || asked[0]?.id === "rights.records";
    const kept =
      question === LISTED ? "themselves alone" : isList ? "what the rights cover" : "nothing";
    run.observe({
      decision: decisionOf(question),
      question,
      observed: leaks.size === 0 ? kept : [...leaks.values()].join("; "),
      value: isList ? recordsOf(asked[0]?.answer ?? { json: null }).length : [...leaks.keys()],
      agrees: leaks.size === 0,
    });
  }
}
