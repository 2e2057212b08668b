// Asterisk: call detail records of cdr_csv and cdr_custom, which are tables without a header.
import { createTableFormat } from "../table-format.ts";
import { callFields, legIdentity } from "./call-fields.ts";
import { findAgent } from "./leg-agent.ts";
import { parseLayout, recogniseLayout } from "./layout.ts";

export const asterisk = createTableFormat({
  title: "Asterisk call detail records",
  hint: "Master.csv of cdr_csv or cdr_custom; --layout where its columns do not show themselves",
  takes: ["layout"],
  marks: ["clid", "start", "disposition"],
  layout: { recognise: recogniseLayout, parse: parseLayout },
  fields: {
    ...callFields,
    datetime: "{start}",
    dnis: "{dst}",
  },
  identity: [...legIdentity, "{start}"],
  createFinish: () => () => (entry, row) => ({ ...entry, agent: findAgent(row)?.extension }),
});
