// Who of the staff took part in a leg of Asterisk: the extension that answered, else the one that dialled. The number that was
// called may be that of a queue or a ring group, which is nobody.
import type { Row } from "../columns.ts";

export interface LegAgent {
  readonly extension: string;
  readonly hasDialled: boolean;
}

// PJSIP/201-00000010; Local/201@from-queue-0001;1; Local/FMPR-201@from-internal-0002;1
const DEVICE = /^\w+\/(.+)-[\da-f]+(?:;\d)?$/i;
const LOCAL = /^Local\/(?:[A-Z]+-)*(?:\d+-)*(\w+)@/;

// Longer numbers are those of lines, after which trunks are often named.
const EXTENSION = /^\d{2,8}$/;

/** Undefined where nobody answered, or whoever did is not one of the staff. */
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
