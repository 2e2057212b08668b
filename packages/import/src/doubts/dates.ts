// Dates that no call of an archive has: a wrong unit, epoch or order of day and month.
import { parseDatetime } from "@call-media/store/values";
import { createTally, type Probe, toValueText } from "./doubt.ts";

const FIRST_MS = Date.UTC(1990, 0, 1);
// Tomorrow, in any zone.
const AHEAD_MS = 2 * 86_400_000;
const FEW = 0.01;

const UNDATED = {
  name: "dates",
  effect: "warn",
  text: "the call has no datetime, and others have: the row may be no call",
  advice: 'Leave out what is none, as "skip": ["^End of report"] in the mapping of a table',
} as const;

/** `nowMs`: after it no call can have begun. */
export function createDateProbe(nowMs: number, of: "call" | "message" = "call"): Probe {
  const odd = createTally();
  const undated = createTally();
  let [dated, mapped] = [0, 0];
  return {
    see: (call) => {
      const { datetime } = call.entry;
      if (call.isMapped && (datetime ?? null) === null)
        undated.add(call, toValueText("call_id", call.entry["call_id"] ?? null));
      const parsed = typeof datetime === "string" ? parseDatetime(datetime.trim(), "UTC") : "";
      if (typeof parsed === "string") return;
      dated += 1;
      const isOdd = parsed.instantMs < FIRST_MS || parsed.instantMs > nowMs + AHEAD_MS;
      if (!isOdd) return;
      odd.add(call, toValueText("datetime", datetime));
      if (call.isMapped) mapped += 1;
    },
    judge: () => [
      ...(dated === 0 ? [] : undated.toDoubts(UNDATED)),
      ...odd.toDoubts({
        name: "dates",
        effect: mapped > FEW * dated ? "stop" : "warn",
        text: `the ${of} lies before 1990 or after tomorrow`,
        advice:
          "Correct the format of datetime: its unit, its epoch, or the order of day and month",
      }),
    ],
  };
}
