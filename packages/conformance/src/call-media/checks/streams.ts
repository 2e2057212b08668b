// Observations on streams (D16): their type, ranges and digest. The relations prove that these are correct.
import { findDigestFault, findRangeFault, half } from "../../laws/bytes.ts";
import { isRefusal } from "../answer.ts";
import type { Check } from "./check.ts";
import { toAsk } from "./recordings.ts";

export const streams: Check = {
  about: "streams",
  proves: ["answer.success"],
  cost: 2,
  run: async ({ run, sample: { recordings } }) => {
    const [recording] = recordings;
    if (recording === undefined) return;
    const ask = toAsk("streamRecordingByCallId", recording.callId);
    const whole = await run.succeed(ask);
    const part = half(whole.size);
    const came = await run.recall({ ...ask, headers: { Range: part.asked } });
    const hasParts = came.isSuccess && findRangeFault(came, whole, part) === undefined;
    const isRight = findDigestFault(whole, "Repr-Digest") === undefined;
    run.learn({ streamRanges: hasParts, streamDigest: isRight });
    const { headers } = whole;
    const type = headers.get("Content-Type");
    const hasRanges = headers.get("Accept-Ranges") === "bytes";
    const digest = headers.get("Repr-Digest");
    run.observe({
      decision: "D16",
      question: "Which content type has a stream?",
      observed: type ?? "none",
      value: type,
      agrees: type !== null && !isRefusal(whole),
    });
    run.observe({
      decision: "D16",
      question: "Can a stream be had in ranges?",
      observed: hasRanges ? "yes" : "nothing says so",
      value: hasRanges,
      agrees: hasRanges,
    });
    run.observe({
      decision: "D16",
      question: "Does a digest come along?",
      observed:
        digest === null ? "no" : isRight ? "yes, Repr-Digest" : "Repr-Digest, of other bytes",
      value: digest !== null,
      agrees: isRight,
    });
  },
};
