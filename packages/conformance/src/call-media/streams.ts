// What streams of recordings show about questions that the interface leaves open: their type, ranges, digest and sound (D16, D37).
import type { Judgement } from "../laws/law.ts";
import { isRefusal } from "./answer.ts";
import type { Notes } from "./notes.ts";

/** `told`: the judgements of the law of bytes on streams by call, the first recording first. */
export function observeStreams(notes: Notes, told: readonly Judgement[]): void {
  const wholes = told.filter(({ clause }) => clause === "bytes.headers");
  const [first] = wholes;
  if (first === undefined) return;
  const holds = (clause: string) => {
    const one = told.find((judgement) => judgement.clause === clause);
    return one !== undefined && one.fault === undefined;
  };
  notes.learn({ streamRanges: holds("bytes.range"), streamDigest: holds("bytes.digest") });
  observeFirst(notes, first, holds("bytes.digest"));
  const said = wholes.filter(({ answer: { headers } }) => headers.has("Recording-Sound")).length;
  notes.observe({
    decision: "D37",
    question: "Does a recording say what it sounds like?",
    observed: said === 0 ? "no" : said === wholes.length ? "yes" : "some do",
    value: said > 0,
    agrees: said > 0,
  });
}

function observeFirst(notes: Notes, { answer }: Judgement, isRight: boolean): void {
  const { headers } = answer;
  const type = headers.get("Content-Type");
  notes.observe({
    decision: "D16",
    question: "Which content type has a stream?",
    observed: type ?? "none",
    value: type,
    agrees: type !== null && !isRefusal(answer),
  });
  const hasRanges = headers.get("Accept-Ranges") === "bytes";
  notes.observe({
    decision: "D16",
    question: "Can a stream be had in ranges?",
    observed: hasRanges ? "yes" : "nothing says so",
    value: hasRanges,
    agrees: hasRanges,
  });
  const digest = headers.get("Repr-Digest");
  notes.observe({
    decision: "D16",
    question: "Does a digest come along?",
    observed: digest === null ? "no" : isRight ? "yes, Repr-Digest" : "Repr-Digest, of other bytes",
    value: digest !== null,
    agrees: isRight,
  });
}
