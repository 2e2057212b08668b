// `check --explain`: lists the requests to an API, and what cannot be requested, in the width of a terminal.
import type { Explanation } from "@call-media/conformance";
import { toCounted, toPrintable, wrap } from "@call-media/terminal";

export function toExplanationText(explanation: Explanation, width: number): string {
  const { file, version, operations, notes, rules, lists, values, writing, unsourced, requests } =
    explanation;
  const lines = (indent: string, texts: readonly string[]) =>
    texts.map((text) => wrap(toPrintable(text), { width, indent })).join("\n");
  const block = (heading: string, texts: readonly string[]) =>
    texts.length === 0 ? [] : [`${heading}\n${lines("  ", texts)}`];
  const asked = rules.filter(({ lacks }) => lacks === undefined);
  const lacking = rules.filter(({ lacks }) => lacks !== undefined);
  return [
    lines("", [
      `${file}, OpenAPI ${version}: ${toCounted(operations, "operation")}. Nothing is sent.`,
    ]),
    ...block(
      "Where the document contradicts itself",
      notes.map(({ text }) => text),
    ),
    ...block(
      "Lists, and what makes a row itself",
      Object.entries(lists).map(([id, key]) => `${id}: ${key}`),
    ),
    ...block(
      "Where values come from",
      Object.entries(values).map(([name, source]) => `${name}: ${source}`),
    ),
    ...block(
      "No value of these is known: say under values where they come from, such as listThings#*/id",
      unsourced,
    ),
    ...block(
      "Would be asked",
      asked.map(
        ({ law, operations: ids, requests: each }) =>
          `${law}: ${ids.join(", ")} (about ${toCounted(each, "request")} each)`,
      ),
    ),
    ...block(
      "Cannot be asked",
      lacking.map(
        ({ law, operations: ids, lacks }) => `${law}: ${ids.join(", ")} (${lacks ?? ""})`,
      ),
    ),
    ...block("Change something: sent with --write alone", writing),
    lines("", [`About ${toCounted(requests, "request")}.`]),
  ].join("\n\n");
}
