// Five9: the Call Log and Inbound Call Log reports as CSV, a row for each leg of a call.
import { parse } from "node:path";
import { type ReadOptions, dropUndefined, type Entry, type RecordContext } from "../format.ts";
import { addUp } from "../json-value.ts";
import { toCustomerName } from "../call-fields.ts";
import { readDuration, type Row } from "../columns.ts";
import { createTableFormat, type Finish } from "../table-format.ts";
import { type ArchivedLeg, createFindArchived } from "./archived-leg.ts";
import { createRecordingFinder, type FoundRecordings } from "./recording-finder.ts";

const DURATION = { as: "duration" };

export const five9 = createTableFormat({
  title: "Five9 call log",
  hint: "Call Log or Inbound Call Log as CSV; --region or --timezone, --filename-template for its recordings",
  takes: ["filenameTemplate"],
  marks: ["CALL ID", "TIMESTAMP", "CAMPAIGN"],
  areLegs: true,
  mapping: {
    nulls: ["", "[None]"],
    fields: {
      call_id: "{CALL ID}",
      datetime: { from: "{TIMESTAMP}", as: "datetime", format: "EEE, dd MMM yyyy HH:mm:ss" },
      session_id: "{SESSION ID}",
      ani: "{ANI}",
      dnis: "{DNIS}",
      ani_state: "{ANI STATE}",
      dnis_state: "{DNIS STATE}",
      agent: "{AGENT}",
      agent_name: "{AGENT NAME}",
      agent_group: "{AGENT GROUP}",
      dest_agent_name: "{DEST AGENT NAME}",
      campaign: "{CAMPAIGN}",
      campaign_type: "{CAMPAIGN TYPE}",
      call_type: "{CALL TYPE}",
      skill: "{SKILL}",
      disposition: "{DISPOSITION}",
      disposition_notes: "{NOTES}",
      talk_time: { from: "{TALK TIME}", ...DURATION },
      handle_time: { from: "{HANDLE TIME}", ...DURATION },
      ivr_path: "{IVR PATH}",
      media: "voice",
      recordings: ["{RECORDINGS}", "{CALL RECORDING PATH}"],
      customer_first_name: "{FIRST NAME}",
      customer_last_name: "{LAST NAME}",
      customer_email: "{EMAIL}",
      phone_number1: "{NUMBER1}",
      phone_number2: "{NUMBER2}",
      phone_number3: "{NUMBER3}",
      company: "{COMPANY}",
      street: "{STREET}",
      city: "{CITY}",
      state_id: "{STATE}",
      zip: "{ZIP}",
    },
  },
  createFinish,
});

/** Where a Five9 domain is hosted settles the time zone of its reports. */
export const FIVE9_REGIONS = {
  US: "America/Los_Angeles",
  CA: "America/Vancouver",
  UK: "Europe/London",
  DE: "Europe/Berlin",
} as const;

function createFinish(options: ReadOptions): (context: RecordContext) => Finish {
  const { filenameTemplate, openArchive, timeZone } = options;
  const find = filenameTemplate === undefined ? undefined : createRecordingFinder(filenameTemplate);
  const findArchived = createFindArchived(openArchive, timeZone);
  return ({ directory }) => {
    const findRecordings = find?.(directory);
    return async (entry, row) => {
      const name = toCustomerName(row("CUSTOMER NAME"));
      const known: Entry = { ...name, ...entry, ...toHandleTime(entry, row) };
      const archived = await findArchived(known);
      const found = await findRecordings?.(row, String(known["datetime"]));
      return toWhole(dropUndefined(known), found, archived);
    };
  };
}

// RECORDINGS says when they began, not what they are called. A file that has come in another form takes the place of the one
// that the archive has.
function toWhole(
  known: Entry,
  found: FoundRecordings | undefined,
  archived: ArchivedLeg | undefined,
): Entry {
  const { media = [], fields = {} } = found ?? {};
  const stems = new Set(media.map(({ file }) => parse(file).name));
  const kept = (archived?.names ?? []).filter((name) => !stems.has(parse(name).name));
  const hasRecordings = media.length + kept.length > 0;
  return {
    ...fields,
    ...(kept.length > 0 && archived?.fields),
    ...known,
    ...(media.length > 0 && { media }),
    ...(hasRecordings && { recordings: kept.length > 0 ? kept.join("; ") : undefined }),
  };
}

function toHandleTime(entry: Entry, row: Row): Entry {
  const { handle_time, talk_time } = entry;
  if (handle_time !== undefined || typeof talk_time !== "number") return {};
  return { handle_time: addUp(talk_time, readDuration(row, "AFTER CALL WORK TIME")) };
}
