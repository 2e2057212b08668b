// FreePBX: the table cdr of its reports as CSV, a row for each leg of a call.
import { basename } from "node:path";
import type { MediaFolder } from "../../media-folder.ts";
import { callFields, findAgent, legIdentity } from "./asterisk-legs.ts";
import type { Entry, RecordContext } from "../format.ts";
import type { Row } from "../columns.ts";
import { createTableFormat, type Finish } from "../table-format.ts";

export const freepbx = createTableFormat({
  title: "FreePBX call detail records",
  hint: "the table cdr as CSV; recordings lie in YYYY/MM/DD below --recordings",
  marks: ["calldate", "clid", "dcontext", "lastapp", "uniqueid"],
  mapping: {
    fields: {
      ...callFields,
      datetime: "{calldate}",
      dnis: ["{did}", "{dst}"],
    },
    identity: [...legIdentity, "{calldate}"],
  },
  createFinish: () => findRecordings,
});

function findRecordings({ folder }: RecordContext): Finish {
  return (entry, row) => {
    const known = { ...entry, ...toAgent(row) };
    const name = row("recordingfile");
    if (name === undefined) return known;
    return findRecording(name, row("calldate"), folder).then((file) => ({
      ...known,
      media: [{ file: file ?? basename(name), optional: true }],
    }));
  };
}

function toAgent(row: Row): Entry {
  const agent = findAgent(row);
  const name = row("dst_cnam");
  return { agent: agent?.extension, agent_name: agent?.hasDialled ? row("cnam") : name };
}

async function findRecording(
  name: string,
  calldate: string | undefined,
  folder: MediaFolder,
): Promise<string | undefined> {
  const bare = basename(name); // newer versions keep the whole path
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)/.exec(calldate ?? "") ?? [];
  const file = year === undefined ? bare : `${year}/${month}/${day}/${bare}`;
  if (await folder.has(file)) return file;
  return (await folder.has(bare)) ? bare : undefined;
}
