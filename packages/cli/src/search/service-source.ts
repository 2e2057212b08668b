// A service as the source of a search.
import { readChatTextIfAllowed } from "@call-media/handover";
import { toNarrowing } from "@call-media/conditions";
import { connect } from "../access/connect.ts";
import type { TargetFlags } from "../access/target.ts";
import { console } from "@call-media/terminal";
import { countGroups, countRecords } from "./counting.ts";
import { type FilterFlags, readFilters, refuseFilters } from "./filters.ts";
import { openIds } from "./ids.ts";
import { explainNothing } from "./nothing-found.ts";
import type { Asked, Source } from "./source.ts";
import { openSearch, type Wanted } from "./wanted.ts";
import type { Field } from "@call-media/handover";
import type { Where } from "./where.ts";
import { type FoundFew, listHints } from "./wider.ts";
import type { WantedWords } from "./words.ts";
import { createZoneTest, toZoned } from "./zoned.ts";

interface Flags extends TargetFlags {
  readonly tz?: string;
  readonly groupBy?: Field | "day";
  readonly where?: Where;
}

/** @throws UsageError that names an option. */
export async function openService(
  flags: FilterFlags & Flags,
  words: WantedWords | undefined,
  { ids, signal }: Asked,
): Promise<Source> {
  const { groupBy, where } = flags;
  const condition = where?.condition;
  const unzoned: Wanted =
    ids === undefined
      ? { ...readFilters(flags, condition), ...words?.search }
      : { ...NOTHING_WANTED, condition };
  if (ids !== undefined) refuseFilters(flags);
  const { client, archiveZone } = await connect(flags);
  const zone = { timeZone: ids === undefined ? flags.tz : undefined, archiveZone };
  const wanted = await toZoned(unzoned, { client, zone, signal });
  if (where !== undefined) {
    const chats = where.readsChats
      ? ", and the chat of each call whose transcript does not decide"
      : "";
    const numbers =
      ids !== undefined || toNarrowing(where.condition) === "" ? "" : "its telephone numbers and ";
    console.info(
      `--where is judged here: every record that ${numbers}the other options find is read${chats}`,
    );
  }
  const isOfService =
    wanted.condition === undefined && wanted.zone === undefined && words?.isByWords !== false;
  return {
    archiveZone,
    condition: wanted.condition,
    isOfDays: createZoneTest(wanted),
    open: () =>
      ids === undefined ? openSearch(client, wanted, signal) : openIds(client, ids, signal),
    count({ filter, onRead }) {
      const counting = {
        client,
        wanted,
        signal,
        filter: isOfService ? undefined : filter,
        onRead,
      };
      return groupBy === undefined ? countRecords(counting) : countGroups(counting, groupBy);
    },
    ...(isOfService && {
      listHints: (found: FoundFew) => listHints({ client, wanted, signal }, found),
    }),
    explain: (came) => explainNothing({ client, wanted: unzoned, came, signal }),
    readChatText: (call_id) => readChatTextIfAllowed(client, call_id, signal),
    [Symbol.asyncDispose]: async () => {},
  };
}

const NOTHING_WANTED: Wanted = { startDate: "", endDate: "", by: "custom fields", filter: {} };
