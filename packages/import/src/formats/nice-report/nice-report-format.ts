// NICE CXone: contacts as its data downloads give them, a row a contact.
import type { ImportFormat } from "../format.ts";
import { addUp } from "../json-value.ts";
import { readDuration } from "../columns.ts";
import { createTableFormat, type Finish } from "../table-format.ts";
import { toReportHead, unwrapDownload } from "./download.ts";

const report = createTableFormat({
  title: "NICE CXone report",
  hint: "a data download of contacts, as CSV or as the API wraps it in JSON",
  marks: ["Contact_ID", "Master_Contact_ID", "Start_Date", "Start_Time"],
  fields: {
    call_id: "{Contact_ID}",
    ref_id: "{Master_Contact_ID}",
    master_id: "{Master_Contact_ID}",
    datetime: {
      from: "{Start_Date} {Start_Time}",
      as: "datetime",
      format: "M/d/yyyy HH:mm:ss",
    },
    ani: ["{ANI}", "{ANI_Dialnum}"],
    dnis: "{DNIS}",
    agent: "{Agent_No}",
    agent_name: "{Agent_Name}",
    agent_group: "{Team_Name}",
    agent_group_id: "{Team_No}",
    campaign: "{Campaign_Name}",
    campaign_id: "{Campaign_No}",
    skill: "{Skill_Name}",
    skill_id: "{Skill_No}",
    disposition_id: "{Disposition_Code}",
    media: "{Media_Name}",
    talk_time: { from: "{Agent_Time}", as: "duration" },
  },
  createFinish: () => () => addHandleTime,
});

export const niceReport: ImportFormat = {
  ...report,
  extensions: [...report.extensions, ".json"],
  recognise: (head) => report.recognise(toReportHead(head)),
  createReader: async (options, files) => {
    const read = await report.createReader(options, files);
    return (file) => read(unwrapDownload(file));
  },
};

const addHandleTime: Finish = (entry, row) => {
  const { talk_time } = entry;
  if (typeof talk_time !== "number") return entry;
  const column = row("ACW_Seconds") === undefined ? "ACW_Time" : "ACW_Seconds";
  return { ...entry, handle_time: addUp(talk_time, readDuration(row, column)) };
};
