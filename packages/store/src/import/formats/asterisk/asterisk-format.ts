// Asterisk: call detail records of cdr_csv and cdr_custom, which are tables without a header.
import { createTableFormat } from "../table-format.ts";
import { parseLayout, recogniseLayout } from "./layout.ts";

export const asterisk = createTableFormat({
  title: "Asterisk call detail records",
  hint: "Master.csv of cdr_csv or cdr_custom; --layout where its columns do not show themselves",
  takes: ["layout"],
  marks: ["clid", "start", "disposition"],
  layout: { recognise: recogniseLayout, parse: parseLayout },
  fields: {
    call_id: "{uniqueid}",
    ref_id: "{linkedid}",
    datetime: "{start}",
    ani: "{src}",
    dnis: "{dst}",
    campaign: "{accountcode}",
    skill: "{dcontext}",
    disposition: "{disposition}",
    talk_time: { from: "{billsec}", as: "duration" },
    handle_time: { from: "{billsec}", as: "duration" },
    ivr_path: "{lastapp}",
    media: "voice",
    custom_field_1: "{userfield}",
  },
});
