// NICE CXone: contacts as its data downloads give them, a row a contact.
import type { ImportFormat } from "../format.ts";
import { addUp } from "../json-value.ts";
import { readDuration } from "../columns.ts";
import { createTableFormat, type Finish } from "../table-format.ts";
import { isObject } from "../../json.ts";
import { createHead, type Head, HEAD_BYTES } from "../../head.ts";
import { ImportError } from "../../import-error.ts";
import { readElements } from "../../json-elements.ts";
import { peek } from "../../peek.ts";
import type { SourceFile } from "../../source-row.ts";

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

const BEGINNING = /^\s*\{\s*"files"\s*:\s*\{[^{}]*?"file"\s*:\s*"([A-Za-z0-9+/]*)/;

/** The head of the report in such a download, or of the file itself where it is none. */
export function toReportHead(head: Head): Head {
  const [, base64] = BEGINNING.exec(head.text) ?? [];
  return base64 === undefined ? head : createHead(Buffer.from(base64, "base64"));
}

/** The file with the report as its content, where it is such a download. */
export function unwrapDownload(file: SourceFile): SourceFile {
  return {
    ...file,
    chunks: async function* () {
      const { beginning, chunks } = await peek(file.chunks(), HEAD_BYTES);
      const isDownload = BEGINNING.test(createHead(beginning).text);
      yield* isDownload ? readReport(file.name, chunks) : chunks;
    },
  };
}

async function* readReport(name: string, chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  for await (const element of readElements(chunks, "files")) {
    const content =
      "value" in element && isObject(element.value) ? element.value["file"] : undefined;
    if (typeof content !== "string")
      throw new ImportError(`${name} is not a complete data download`);
    yield Buffer.from(content, "base64");
  }
}
