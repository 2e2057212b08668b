// What several platforms write alike: directions, numbers with a scheme, links to recordings.
import type { Entry, RecordContext } from "../format.ts";
import { toRecordingFields } from "../named-recordings.ts";

/** Inbound and Outbound, however they are written; other texts as they are. */
export const DIRECTIONS = {
  inbound: "Inbound",
  outbound: "Outbound",
  TERMINATING: "Inbound",
  ORIGINATING: "Outbound",
};

/** The numbers of a call of which one is the customer's: who calls is `ani`. */
export function toNumbers(isOutbound: boolean, customer?: string, ours?: string): Entry {
  return isOutbound ? { ani: ours, dnis: customer } : { ani: customer, dnis: ours };
}

/** Without `tel:` or `sip:`. */
export function toPlainNumber(number: string | undefined): string | undefined {
  return number?.replace(/^(?:tel|sips?):/i, "");
}

/** The recording that a link leads to, by its name alone: what is signed in the link is nobody's to keep. */
export async function toLinkedRecording(
  link: string | undefined,
  { folder }: RecordContext,
): Promise<Entry> {
  const name = link === undefined ? "" : toLastName(link);
  return name === "" ? {} : await toRecordingFields([{ name }], folder);
}

// A path with an extension is that of a file; else the query may say it: Play?rec=101/a.wav.
function toLastName(link: string): string {
  const [path = "", query = ""] = link.split("?");
  const isFile = /\.\w{1,5}$/.test(path) || !/\.\w{1,5}$/.test(query);
  const name = (isFile ? path : query).split(/[/=]/).at(-1) ?? "";
  try {
    return decodeURIComponent(name);
  } catch {
    return name; // a per cent sign that begins no escape
  }
}
