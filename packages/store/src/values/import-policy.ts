// What an import leaves out because the policy of the archive would make it due at once. The rules are those of `retention plan`.
import type { ArchiveItem, CallItem, ChatMessageRecord, LeftRow, Writer } from "../port/index.ts";
import type { DatedRecord } from "../port/maintenance.ts";
import { readWhole } from "./damaged-records.ts";
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
  /** Those that the archive has. Reading a damaged one throws `StoreFault`. */
  readonly records: () => readonly DatedRecord[];
}

/** Called only for what would be due. */
export interface DueMeans {
  readonly find: (callId: string) => KnownCall;
  /** The messages that the archive has of a call. */
  readonly chatOf: (callId: string) => readonly ChatMessageRecord[];
  readonly holds: () => Pick<HoldJudge, "judge" | "judgeMessage">;
}

/** The means of an empty archive. */
export const NOTHING_KNOWN: DueMeans = {
  find: () => ({ isThere: false, hasSound: false, isHeld: false, records: () => [] }),
  chatOf: () => [],
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
  dueSound: NONE,
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
    const verdict = legs[0]?.verdict;
    if (verdict !== undefined) return verdict;
    const records = legs.map(toDated);
    const isDue = retention.findRule(records) !== undefined;
    if (!isDue && retention.findSoundRule(records) === undefined) return "kept";
    const callId = legs[0]?.record.call_id ?? null;
    const known = (callId === null ? NOTHING_KNOWN : means).find(callId ?? "");
    // A held call keeps its sound, too; what the archive has is never left out.
    if (known.isHeld || (known.isThere && (isDue || known.hasSound))) return "kept";
    const isSoundDue = () =>
      retention.findSoundRule([...records, ...known.records()]) !== undefined;
    // A record that cannot be read may be the one that keeps it.
    if (!isDue && readWhole(isSoundDue) !== true) return "kept";
    if (isHeldByQuery(records, callId, { row, means })) return "kept";
    return isDue ? "due" : "soundless";
  };
  // A message of a call without a record goes by its own time.
  const isDueMessage = ({ record, verdict }: ChatItem, { find, holds }: DueMeans) => {
    if (verdict !== undefined) return verdict === "due";
    const parsed = parseDatetime(record.datetime, timeZone);
    if (typeof parsed === "string" || parsed.instantMs >= retention.messagesUntilMs) return false;
    const known = record.call_id === null ? undefined : find(record.call_id);
    if (known?.isThere || known?.isHeld) return false;
    const { instantMs } = parsed;
    return holds().judgeMessage(() => ({ message: record, instantMs })).length === 0;
  };
  return (row, means) => {
    const calls = row.filter((item): item is CallItem => item.kind === "call");
    const groups = Map.groupBy(calls, (call): ArchiveItem | string => call.record.call_id ?? call);
    const judged = Map.groupBy(groups.values(), (legs) => judge(legs, row, means));
    const due = new Set<ArchiveItem>(judged.get("due")?.flat());
    const isDueChat = (item: ChatItem) => {
      const [leg] =
        item.verdict === undefined ? (groups.get(item.record.call_id ?? item) ?? []) : [];
      return leg === undefined ? isDueMessage(item, means) : due.has(leg);
    };
    for (const item of row) if (item.kind === "chat" && isDueChat(item)) due.add(item);
    const soundless = new Set<ArchiveItem>(judged.get("soundless")?.flat());
    const items = due.size === 0 ? row : row.filter((item) => !due.has(item));
    return { items, soundless, due, dueSound: soundless };
  };
}

type ChatItem = Extract<ArchiveItem, { kind: "chat" }>;

interface Around {
  readonly row: readonly ArchiveItem[];
  readonly means: DueMeans;
}

function isHeldByQuery(
  records: readonly DatedRecord[],
  callId: string | null,
  { row, means }: Around,
): boolean {
  const { judge } = means.holds();
  let chat: readonly ChatMessageRecord[] | undefined;
  const readChat = () => [
    ...row.flatMap((one) =>
      one.kind === "chat" && one.record.call_id === callId ? [one.record] : [],
    ),
    ...(callId === null ? [] : means.chatOf(callId)),
  ];
  const toChat = () => (chat ??= readChat());
  return records.some((record) => judge(() => record, toChat).length > 0);
}
