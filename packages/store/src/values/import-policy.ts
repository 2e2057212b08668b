// What an import leaves out because the policy of the archive would make it due at once. The rules are those of `retention plan`.
import type { ArchiveItem, CallItem, LeftRow, Writer } from "../port/index.ts";
import type { HoldJudge } from "./holds.ts";
import { parseDatetime, toDay } from "./instant.ts";
import { createRetention, parsePolicy } from "./retention.ts";

/** What an archive knows of a call that would be due. */
export interface KnownCall {
  /** True if it has a record: what an archive has leaves it only by an erasure. */
  readonly isThere: boolean;
  readonly hasSound: boolean;
  /** True if a hold names it. */
  readonly isHeld: boolean;
}

/** Called only for what would be due. */
export interface DueMeans {
  readonly find: (callId: string) => KnownCall;
  readonly holds: () => Pick<HoldJudge, "judge" | "judgeMessage">;
}

/** The means of an empty archive. */
export const NOTHING_KNOWN: DueMeans = {
  find: () => ({ isThere: false, hasSound: false, isHeld: false }),
  holds: () => ({ judge: () => [], judgeMessage: () => [] }),
};

/** Returns the items of a row without those that would be due at once. */
export type LeaveOutDue = (row: readonly ArchiveItem[], means: DueMeans) => LeftRow;

export const NONE: ReadonlySet<ArchiveItem> = new Set();

/** A row from which nothing is left out. */
export const toWholeRow = (items: readonly ArchiveItem[]): LeftRow => ({
  items,
  soundless: NONE,
  due: NONE,
});

interface ImportPolicy {
  /** JSON; undefined or empty without a policy. */
  readonly policy: string | undefined;
  readonly timeZone: string;
  /** A migration copies what is due as well. */
  readonly writer: Writer | undefined;
}

/** Undefined if the import obeys no policy. Throws `ArchiveError` for a policy that this program does not know. */
export function createLeaveOutDue(given: ImportPolicy): LeaveOutDue | undefined {
  const { policy = "", timeZone, writer } = given;
  if (policy === "" || (writer !== undefined && writer.operation !== "import")) return undefined;
  const day = toDay(Date.now(), timeZone);
  const retention = createRetention(parsePolicy(policy), { day, timeZone });
  const toDated = ({ record }: CallItem) => {
    const parsed = record.datetime === null ? "" : parseDatetime(record.datetime, timeZone);
    return { record, instantMs: typeof parsed === "object" ? parsed.instantMs : undefined };
  };
  const judge = (legs: readonly CallItem[], row: readonly ArchiveItem[], means: DueMeans) => {
    const records = legs.map(toDated);
    const isDue = retention.findRule(records) !== undefined;
    if (!isDue && retention.findSoundRule(records) === undefined) return "kept";
    const callId = legs[0]?.record.call_id ?? null;
    const known = (callId === null ? NOTHING_KNOWN : means).find(callId ?? "");
    // A held call keeps its sound, too; what the archive has is never left out.
    if (known.isHeld || (known.isThere && (isDue || known.hasSound))) return "kept";
    const chat = row.flatMap((one) =>
      one.kind === "chat" && one.record.call_id === callId ? [one.record] : [],
    );
    const isHeld = records.some(
      (record) =>
        means.holds().judge(
          () => record,
          () => chat,
        ).length > 0,
    );
    if (isHeld) return "kept";
    return isDue ? "due" : "soundless";
  };
  const isDueMessage = (item: ArchiveItem, { holds }: DueMeans) => {
    if (item.kind !== "chat" || item.record.call_id !== null) return false;
    const parsed = parseDatetime(item.record.datetime, timeZone);
    if (typeof parsed === "string" || parsed.instantMs >= retention.messagesUntilMs) return false;
    const { instantMs } = parsed;
    return holds().judgeMessage(() => ({ message: item.record, instantMs })).length === 0;
  };
  return (row, means) => {
    const calls = row.filter((item): item is CallItem => item.kind === "call");
    const groups = Map.groupBy(calls, (call) => call.record.call_id ?? call);
    const judged = Map.groupBy(groups.values(), (legs) => judge(legs, row, means));
    const due = new Set<ArchiveItem>(judged.get("due")?.flat());
    const callIds = new Set([...due].flatMap((item) => toCallId(item) ?? []));
    for (const item of row)
      if (
        item.kind === "chat" &&
        (callIds.has(item.record.call_id ?? "") || isDueMessage(item, means))
      )
        due.add(item);
    const soundless = new Set<ArchiveItem>(judged.get("soundless")?.flat());
    return { items: due.size === 0 ? row : row.filter((item) => !due.has(item)), soundless, due };
  };
}

const toCallId = (item: ArchiveItem) => (item.kind === "call" ? item.record.call_id : null);
