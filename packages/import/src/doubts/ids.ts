// Identifiers that a spreadsheet destroyed: it keeps 15 digits of a number, and shows a long one as 3E+14.
import { createTally, type Probe, readText, toValueText } from "./doubt.ts";

const FIELDS = ["call_id", "ref_id", "session_id", "master_id", "ani", "dnis"] as const;

// Numbers as spreadsheets show them, and what they show in the place of a value. "12E5" may be a name.
const DESTROYED =
  /^(?:[+-]?\d(?:[.,]\d+)?E\+\d+|#{3,}|#(?:REF!|N\/A|NAME\?|VALUE!|NUM!|NULL!|DIV\/0!))$/i;
const LONG = /^\d{16,}$/;
// One in ten arbitrary identifiers ends in 0.
const MANY = 20;

export function createIdProbe(): Probe {
  const destroyed = createTally();
  const rounded = createTally();
  let long = 0;
  return {
    see: (call) => {
      const field = FIELDS.find((name) => DESTROYED.test(readText(call, name)));
      if (field !== undefined) destroyed.add(call, toValueText(field, call.entry[field]));
      const callId = readText(call, "call_id");
      if (!LONG.test(callId)) return;
      long += 1;
      if (callId.endsWith("0")) rounded.add(call, toValueText("call_id", callId));
    },
    judge: () => [
      ...destroyed.toDoubts({
        name: "ids",
        effect: "stop",
        text: "an identifier or number was destroyed by a spreadsheet, and different calls may have the same",
        advice:
          "Export the calls again, and do not save them with a spreadsheet: it has to read these columns as text",
      }),
      ...(long >= MANY && rounded.count() * 2 > long
        ? rounded.toDoubts({
            name: "ids",
            effect: "warn",
            text: "a call_id of 16 digits or more ends in 0: a spreadsheet keeps only 15",
            advice: "Compare them with the source",
          })
        : []),
    ],
  };
}
