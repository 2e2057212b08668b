// Dialpad: the call logs of its statistics export, a row for each leg.
import type { Entry } from "../format.ts";
import { createTableFormat } from "../table-format.ts";
import { DIRECTIONS, toLinkedRecording, toNumbers } from "../call-fields.ts";

// A row names whom the call went to: a user, or the line of many.
const QUEUES = /^(?:call ?center|department|staff ?group)$/i;

function toQueue(name: string | undefined): Entry {
  return { agent: undefined, agent_name: undefined, skill: name };
}

export const dialpad = createTableFormat({
  title: "Dialpad call logs",
  marks: ["call_id", "date_started", "external_number", "internal_number"],
  areLegs: true,
  fields: {
    call_id: "{call_id}",
    datetime: { from: "{date_started}", zone: "{timezone}" },
    call_type: { from: "{direction}", values: DIRECTIONS },
    agent: ["{email}", "{name}"],
    agent_name: "{name}",
    talk_time: { from: "{talk_duration}", unit: "min" },
    media: "voice",
  },
  createFinish: () => (context) => async (entry, row) => ({
    ...entry,
    ...(QUEUES.test(row("target_kind") ?? "") && toQueue(row("name"))),
    ...toNumbers(row("direction") === "outbound", row("external_number"), row("internal_number")),
    ...(await toLinkedRecording(row("recording_url"), context)),
  }),
});
