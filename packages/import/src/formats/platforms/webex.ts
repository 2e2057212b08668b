// Webex Calling: the detailed call history report, a row for each leg.
import { createTableFormat } from "../table-format.ts";
import { DIRECTIONS } from "../call-fields.ts";

export const webex = createTableFormat({
  title: "Webex detailed call history",
  marks: ["Start time", "Calling number", "Called number", "Correlation ID"],
  areLegs: true,
  nulls: ["", "NA"],
  fields: {
    call_id: "{Call ID}",
    ref_id: "{Correlation ID}",
    datetime: "{Start time}",
    ani: "{Calling number}",
    dnis: "{Called number}",
    agent: ["{User}"],
    agent_name: "{User}",
    agent_group: "{Location}",
    call_type: { from: "{Direction}", values: DIRECTIONS },
    country: "{Country}",
    disposition: { from: "{Answered}", values: { true: "Answered", false: "Not answered" } },
    talk_time: { from: "{Duration}", as: "duration" },
    media: "voice",
  },
});
