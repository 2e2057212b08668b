// A leg in the call detail records of Asterisk, whose columns FreePBX has kept: its fields, its identity and its agent.
import type { Row } from "../columns.ts";

/** Tells the legs of one uniqueid apart. Not every version logs a sequence. */
export const legIdentity = ["{sequence}", "{dstchannel}", "{recordingfile}", "{lastapp}"];

/** The columns that both name alike. */
export const callFields = {
  call_id: "{uniqueid}",
  ref_id: "{linkedid}",
  ani: "{src}",
  campaign: "{accountcode}",
  skill: "{dcontext}",
  disposition: "{disposition}",
  talk_time: { from: "{billsec}", as: "duration" },
  handle_time: { from: "{billsec}", as: "duration" },
  ivr_path: "{lastapp}",
  media: "voice",
  custom_field_1: "{userfield}",
} as const;

export interface LegAgent {
  readonly extension: string;
  readonly hasDialled: boolean;
}

// PJSIP/201-00000010; Local/201@from-queue-0001;1; Local/FMPR-201@from-internal-0002;1
const DEVICE = /^\w+\/(.+)-[\da-f]+(?:;\d)?$/i;
const LOCAL = /^Local\/(?:[A-Z]+-)*(?:\d+-)*(\w+)@/;

// Longer numbers are those of lines, after which trunks are often named.
const EXTENSION = /^\d{2,8}$/;

/** Undefined if nobody of the staff took part. */
export function findAgent(row: Row): LegAgent | undefined {
  const isOurs = (device: string | undefined, number: string | undefined) =>
    device !== undefined && (EXTENSION.test(device) || device === number);
  const called = toDevice(row("dstchannel"));
  const calling = toDevice(row("channel"));
  if (row("disposition") === "ANSWERED" && called !== undefined && isOurs(called, row("dst")))
    return { extension: called, hasDialled: false };
  if (calling !== undefined && isOurs(calling, row("src")))
    return { extension: calling, hasDialled: true };
  return undefined;
}

function toDevice(channel = ""): string | undefined {
  return LOCAL.exec(channel)?.[1] ?? DEVICE.exec(channel)?.[1];
}
