// What the refusals of a service show about questions that the interface leaves open.
import { isObject } from "@call-media/contract-diff";
import type { Answer } from "../ask.ts";
import type { Judgement } from "../laws/law.ts";
import type { Notes } from "./notes.ts";

const METHODS_AND_PATHS = "How are another method and an unknown path answered?";

const QUESTIONS: Readonly<Record<string, string>> = {
  "refused.query": "How is a query answered that is not allowed?",
  "refused.body": "How is a body answered that is not allowed?",
  "refused.identifier": "How is an identifier answered that cannot be read?",
  "refused.accept": "How is a request answered that accepts no form of the answer?",
  "refused.media-type": "How is a body answered that is not declared as JSON?",
  "refused.size": "How is a body answered that is far too large?",
  "refused.method": METHODS_AND_PATHS,
  "refused.path": METHODS_AND_PATHS,
  "filter.unknown-key": "How is an unknown filter key answered?",
  "filter.empty": "How is an empty filter answered?",
};
const EMPTY_BY_CUSTOM_FIELDS = "How is an empty filter by custom fields answered?";

/** A judgement of the law of refusals, with its requirement. */
export interface Refused {
  readonly id: string;
  readonly judgement: Judgement;
}

export function observeRefused(notes: Notes, told: readonly Refused[]): void {
  for (const [question, all] of Map.groupBy(told, toQuestion)) {
    if (question === undefined) continue;
    const statuses = [...new Set(all.map(({ judgement }) => judgement.answer.status))].toSorted(
      (one, other) => one - other,
    );
    notes.observe({
      decision: all.some(({ id }) => id.startsWith("filter.")) ? "D11" : "D12",
      question,
      observed: statuses.join(", "),
      value: statuses,
      agrees: all.every(({ judgement: { fault } }) => fault === undefined),
    });
  }
}

const toQuestion = ({ id, judgement: { answer } }: Refused): string | undefined =>
  id === "filter.empty" && answer.operation.id === "searchMetadataByCustomFields"
    ? EMPTY_BY_CUSTOM_FIELDS
    : QUESTIONS[id];

/** The body of a 401 stands for those of all refusals. */
export function observeErrorBody(notes: Notes, { json, headers, size }: Answer): void {
  const type = headers.get("Content-Type");
  const fields = isObject(json) ? Object.keys(json) : [];
  notes.observe({
    decision: "D13",
    question: "What does a refusal hold?",
    observed: isObject(json)
      ? `JSON with ${fields.join(", ")}`
      : `${size} bytes of ${type ?? "no type"}`,
    value: { type, fields },
    agrees:
      isObject(json) && json["isError"] === true && fields.join() === "isError,errorMessage,data",
  });
  const challenge = headers.get("WWW-Authenticate");
  notes.observe({
    decision: "D14",
    question: "What does a 401 challenge with?",
    observed: challenge ?? "nothing",
    value: challenge,
    agrees: /^Bearer\b/i.test(challenge ?? ""),
  });
}
