// The attachment by which a vCon keeps a whole record. The export writes into it only what an import could not read
// from the rest of the vCon, so that nothing is lost.
import { isDeepStrictEqual } from "node:util";
import { RECORD_PURPOSE } from "@call-media/handover/vcon";
import { isObject } from "../../json.ts";
import { RowFault } from "../../source-row.ts";
import type { Part, Vcon } from "./vcon.ts";

type Entry = Record<string, unknown>;

interface Additions {
  /** Fields of the call that are others than the vCon's; null where the call has none. */
  readonly fields: Entry;
  /** The messages, in their order: each is the one of that number that the vCon gives, with these fields instead. */
  readonly messages?: readonly Entry[];
}

/** As the body of an attachment; undefined when the vCon says everything. Both: a call, and its messages. */
export function toAdditions(said: readonly Entry[], wanted: readonly Entry[]): object | undefined {
  const [call = {}, ...messages] = said;
  const [wantedCall = {}, ...wantedMessages] = wanted;
  const fields = toDifference(call, wantedCall);
  const isSame = isDeepStrictEqual(messages, wantedMessages);
  if (isSame && Object.keys(fields).length === 0) return undefined;
  return { fields, ...(isSame ? {} : { messages: toMessages(messages, wantedMessages) }) };
}

/** Applies the attachment to the entries of the vCon. Throws `RowFault` for a malformed attachment. */
export function applyAdditions(said: readonly Entry[], { attachments }: Vcon): Entry[] {
  const attachment = attachments.find(({ purpose }) => purpose === RECORD_PURPOSE);
  if (attachment === undefined) return [...said];
  const { fields, messages } = parse(attachment);
  const [call = {}, ...others] = said;
  return [change(call, fields), ...(messages?.map((entry) => toMessage(entry, others)) ?? others)];
}

// Messages without text have no dialog, so they have no number.
function toMessages(said: readonly Entry[], wanted: readonly Entry[]): Entry[] {
  let next = 0;
  return wanted.map((message) => {
    const base = said[next];
    if (base?.["transcript"] !== message["transcript"]) return message;
    next += 1;
    return { of: next - 1, ...toDifference(base ?? {}, message) };
  });
}

function toMessage({ of, ...fields }: Entry, said: readonly Entry[]): Entry {
  return change((typeof of === "number" ? said[of] : undefined) ?? {}, fields);
}

function toDifference(said: Entry, wanted: Entry): Entry {
  const keys = [...new Set([...Object.keys(said), ...Object.keys(wanted)])];
  const differing = keys.filter((key) => !isDeepStrictEqual(said[key], wanted[key]));
  return Object.fromEntries(differing.map((key) => [key, wanted[key] ?? null]));
}

function change(entry: Entry, fields: Entry): Entry {
  const all = Object.entries({ ...entry, ...fields });
  return Object.fromEntries(all.filter(([, value]) => value !== null));
}

function parse({ body }: Part): Additions {
  const { fields = {}, messages } = isObject(body) ? body : {};
  const areMessages =
    messages === undefined || (Array.isArray(messages) && messages.every(isObject));
  if (!isObject(body) || !isObject(fields) || !areMessages)
    throw new RowFault(`attachments: that of purpose ${RECORD_PURPOSE} has no fields and messages`);
  return { fields, ...(messages === undefined ? {} : { messages }) };
}
