// Genesys Cloud: the interactions view as its users export it, a table whose durations are milliseconds.
import { createTableFormat } from "../table-format.ts";
import { toPlainNumber } from "../call-fields.ts";

export const genesysView = createTableFormat({
  title: "Genesys Cloud interactions view",
  hint: "times are those of whoever exported it: --timezone",
  marks: ["Conversation ID", "Users", "Remote", "Direction"],
  fields: {
    call_id: "{Conversation ID}",
    datetime: { from: "{Date}", format: "M/d/yy h:mm a" },
    call_type: "{Direction}",
    agent: "{Users}",
    agent_name: "{Users}",
    skill: "{Queue}",
    disposition: "{Wrap-up}",
    talk_time: { from: "{Total Talk}", unit: "ms" },
    handle_time: { from: "{Total Handle}", unit: "ms" },
    media: "{Media Type}",
  },
  createFinish: () => () => (entry, row) => ({
    ...entry,
    ani: toPlainNumber(row("ANI")),
    dnis: toPlainNumber(row("DNIS")),
  }),
});
