// 3CX: the call log as its console exports it. A row without a time continues the call above it: who was rung, who took it.
import { RowFault, type SourceRow } from "../../source-row.ts";
import type { Row } from "../columns.ts";
import { type ConversionOptions, createConversion } from "../mapping/conversion.ts";
import { dropUndefined, type Entry, type ImportFormat, type RecordContext } from "../format.ts";
import { createTableFormat } from "../table-format.ts";
import { toCustomerName, toLinkedRecording } from "../call-fields.ts";

const table = createTableFormat({
  title: "3CX call log",
  hint: "times are local and begin with the day, or with the month where they have AM or PM",
  marks: ["Call Time", "Caller ID", "Destination", "Talking"],
  mapping: {
    fields: {
      disposition: "{Status}",
      disposition_notes: "{Reason}",
      talk_time: { from: "{Talking}", as: "duration" },
      media: "voice",
    },
  },
  createFinish: () => (context) => async (entry, row) =>
    row("Call Time") === undefined ? toLeg(row) : await toCall(entry, row, context),
});

export const threecx: ImportFormat = {
  ...table,
  createReader: async (options, files) => {
    const read = await table.createReader(options, files);
    return (file) => joinLegs(read(file));
  },
};

/** Calls with what the rows below say of them. */
async function* joinLegs(rows: AsyncIterable<SourceRow>): AsyncGenerator<SourceRow> {
  let open: SourceRow | undefined;
  for await (const row of rows) {
    const leg = "entries" in row ? row.entries[0] : undefined;
    if (leg === undefined || !isLeg(leg)) {
      if (open !== undefined) yield open;
      open = row;
    } else if (open === undefined)
      yield {
        line: row.line,
        raw: row.raw,
        reason: "Call Time: missing, and no call stands above",
      };
    else if ("entries" in open) {
      const entries = open.entries.map((call) => withLeg(call as Entry, leg)); // the table's own
      open = { ...open, raw: `${open.raw}\n${row.raw}`, entries };
    } else open = { ...open, raw: `${open.raw}\n${row.raw}` };
  }
  if (open !== undefined) yield open;
}

/** No entry: what a row says of the call above it. */
interface Leg {
  readonly leg: Entry;
}

// Then the call above names the queue or the ring group, which is not an agent.
function withLeg(call: Entry, { leg }: Leg): Entry {
  if (call["call_type"] !== "Inbound") return call;
  const isGroup = call["agent"] === call["dnis"];
  return dropUndefined({
    ...call,
    ...(isGroup && { agent: undefined, agent_name: undefined }),
    ...leg,
  });
}

const isLeg = (entry: unknown): entry is Leg =>
  typeof entry === "object" && entry !== null && "leg" in entry;

function toLeg(row: Row): Entry {
  const isTaken = row("Status") === "Answered";
  return { leg: isTaken ? toAgent(parseParty(row("Destination"))) : {} };
}

async function toCall(entry: Entry, row: Row, context: RecordContext): Promise<Entry> {
  const [from, to] = [parseParty(row("Caller ID")), parseParty(row("Destination"))];
  const isOutbound = isExtension(from) && !isExtension(to);
  const isTaken = row("Status") === "Answered";
  const agent = isExtension(from) ? toAgent(from) : isTaken && isExtension(to) ? toAgent(to) : {};
  const datetime = toDatetime(row("Call Time") ?? "");
  const customer = isExtension(from) ? to : from;
  return {
    ...entry,
    datetime,
    // The log has no identifier: this is made of what it says of the call.
    call_id: [datetime.replace(/\D/g, ""), from.number, to.number].join("-"),
    ani: from.number,
    dnis: to.number,
    call_type: isOutbound ? "Outbound" : isExtension(from) ? "Internal" : "Inbound",
    ...toCustomerName(isExtension(customer) ? undefined : customer.name),
    ...agent,
    ...(await toLinkedRecording(row("Play"), context)),
  };
}

const DAY_FIRST = createConversion("Call Time", toFormat("dd/MM/yyyy HH:mm:ss"));
const MONTH_FIRST = createConversion("Call Time", toFormat("M/d/yyyy h:mm:ss a"));

function toFormat(format: string): ConversionOptions {
  return { as: "datetime", formats: [format] };
}

function toDatetime(text: string): string {
  const converted = (/[AP]M$/i.test(text) ? MONTH_FIRST : DAY_FIRST)(text);
  if ("fault" in converted) throw new RowFault(`Call Time: ${converted.fault}`);
  return String(converted.value);
}

interface Party {
  readonly name: string | undefined;
  readonly number: string | undefined;
}

/** Bob (5551230001), or just the number. */
function parseParty(text = ""): Party {
  const [, name, number = text] = /^(.*?)\s*\(([^()]+)\)$/.exec(text) ?? [];
  return { name: name || undefined, number: number || undefined };
}

function isExtension({ number = "" }: Party): boolean {
  return /^\d{2,6}$/.test(number);
}

function toAgent({ name, number }: Party): Entry {
  return { agent: number, agent_name: name };
}
