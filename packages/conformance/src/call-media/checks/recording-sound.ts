// Audio properties of a recording (D37): Recording-Sound is the same for the complete file, a part and HEAD, and absent if unknown.
import type { Answer } from "../../ask.ts";
import type { Run } from "../run.ts";
import { unless } from "../run.ts";
import type { Check } from "./check.ts";
import { toAsk } from "./recordings.ts";

const HEADER = "Recording-Sound";

export const sound: Check = {
  about: "what recordings sound like",
  proves: ["recording.sound"],
  cost: 10,
  run: async ({ run, sample: { recordings } }) => {
    const answers: Answer[] = [];
    for (const { callId } of recordings) answers.push(await proveSound(run, callId));
    const said = answers.filter(({ headers }) => headers.has(HEADER)).length;
    if (said === 0) run.skip("recording.sound", `no recording came with ${HEADER}`);
    run.observe({
      decision: "D37",
      question: "Does a recording say what it sounds like?",
      observed: said === 0 ? "no" : said === answers.length ? "yes" : "some do",
      value: said > 0,
      agrees: said > 0,
    });
  },
};

async function proveSound(run: Run, callId: string): Promise<Answer> {
  const ask = toAsk("streamRecordingByCallId", callId);
  const head = await run.ask({ ...ask, method: "HEAD" });
  const part = await run.ask({ ...ask, headers: { Range: "bytes=0-0" } });
  const [ofHead, ofPart] = [head, part].map(({ headers }) => headers.get(HEADER));
  if (ofHead === null && ofPart === null) return head;
  const isRight = ofHead === ofPart;
  run.prove("recording.sound", part, unless(isRight, `${HEADER} of HEAD is another: ${ofHead}`));
  return head;
}
