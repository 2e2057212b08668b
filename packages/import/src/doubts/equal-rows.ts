// Rows of one file that are equal, or that take each other's place in the archive: the same call and moment, or the same identity.
import { hash } from "node:crypto";
import { parseDatetime } from "@call-media/store/values";
import { createTally, type JudgedCall, type Probe, toValueText } from "./doubt.ts";

// 48 bits are an integer of JavaScript, which takes less memory than a text.
const DIGITS = 12;
// The rows of a call lie near each other in a file.
const MAX_CALLS = 100_000;

const toKey = (value: string) => Number.parseInt(hash("sha256", value).slice(0, DIGITS), 16);

export function createEqualRowsProbe(): Probe {
  const shared = createTally();
  const identical = createTally();
  let isMapped = false;
  let file: string | undefined;
  const contents = new Map<number, number>();
  return {
    see: (call) => {
      if (call.isLeg || call.entry["revised"] !== undefined) return;
      if (call.file !== file) contents.clear();
      file = call.file;
      const content = toKey(call.raw);
      const key = toKey(toName(call) ?? call.raw);
      const known = contents.get(key);
      const what = toValueText("call_id", call.entry["call_id"] ?? null);
      if (known === content) identical.add(call, what);
      else if (known !== undefined) {
        shared.add(call, what);
        isMapped ||= call.isMapped;
      }
      contents.set(key, content);
      const [oldest] = contents.keys();
      if (contents.size > MAX_CALLS && oldest !== undefined) contents.delete(oldest);
    },
    judge: () => [
      ...shared.toDoubts({
        name: "shared-id",
        effect: isMapped ? "stop" : "warn",
        text: "the row takes the place of another row of its file, with the same call_id and moment, and says something else",
        advice:
          'If they are legs of a call, name what tells them apart, as "identity": ["{Leg}"] in the mapping',
      }),
      ...identical.toDoubts({
        name: "identical",
        effect: "warn",
        text: "the row is equal to another row of its file: with a call_id they are one call, without they are different ones",
        advice: "Look whether the export has rows twice",
      }),
    ],
  };
}

/** The identity of a record (D32); undefined without an identifier. */
function toName({ entry }: JudgedCall): string | undefined {
  const { call_id: callId, identity, datetime } = entry;
  if (callId === undefined || callId === null || callId === "") return undefined;
  return JSON.stringify([callId, identity ?? toInstant(datetime)]);
}

function toInstant(datetime: unknown): unknown {
  const parsed = typeof datetime === "string" ? parseDatetime(datetime.trim(), "UTC") : "";
  return typeof parsed === "string" ? datetime : parsed.instantMs;
}
