// Reads calls, their recordings and their chats by identifier, with the caller's access filter (D21).
import { type CallItem, type Calls, isFault, type Visibility } from "../port/index.ts";
import { notWritten } from "../values/damaged-records.ts";
import { toInstantMs } from "../values/order-key.ts";
import { toFound, toRecordingOrder } from "../values/recording-order.ts";
import { createAccessFilters } from "../values/visibility.ts";
import type { Archive } from "./archive.ts";
import { readAtOnce } from "./at-once.ts";
import { createRecordForm, type ReadCall, readCalls, readItems } from "./call-rows.ts";
import { readChats } from "./chats.ts";
import type { Ask, Transaction } from "./connection.ts";
import { toMonth, toSuffix } from "./months.ts";
import { type NameKind, toName } from "./names.ts";
import { toJudged } from "./search/conditions.ts";
import { createSearch } from "./search/search.ts";
import { createQueries } from "./terms.ts";

/** A call that may be shown. */
interface Found {
  readonly id: bigint;
  readonly item: CallItem;
}

export function createCalls(archive: Archive): Calls {
  const { read, settings } = archive;
  const form = createRecordForm(settings);
  const toFilter = createAccessFilters();
  const toQuery = createQueries(settings.indexSeed);
  /** Judges by the search keys, which were made from the record at import. False if these are missing too. */
  const wasVisible = async (ask: Ask, id: bigint, visibility: Visibility): Promise<boolean> => {
    if (visibility === "everything") return true;
    const query = toQuery({}, visibility);
    if (query === undefined) return false;
    const { where, values } = toJudged(query);
    const found = await ask(
      `SELECT FROM call_key_${toSuffix(toMonth(id))} WHERE id = ${id} AND ${where}`,
      values,
    );
    return found.length > 0;
  };
  const readVisible = async (
    ask: Ask,
    { row, toItem }: ReadCall,
    visibility: Visibility,
  ): Promise<CallItem | undefined> => {
    try {
      const item = toItem();
      return toFilter(visibility)(item.record) ? item : undefined;
    } catch (error) {
      if (!isFault(error, "damaged")) throw error;
      // A damaged record no longer shows who may see it. A caller who may not gets the response for a missing call.
      if (await wasVisible(ask, BigInt(row.id), visibility)) throw error;
      return undefined;
    }
  };
  const find = async (ask: Ask, [kind, text]: Named, visibility: Visibility): Promise<Found[]> => {
    const names = await ask<{ id: string }>(
      `SELECT id FROM call_name WHERE name = $1::uuid AND kind = $2::"char"`,
      [toName(text), kind],
    );
    const ids = names.map(({ id }) => BigInt(id));
    const rows = await readCalls(ask, ids);
    const there = new Set(rows.map(({ id }) => BigInt(id)));
    for (const id of ids)
      if (!there.has(id) && (await wasVisible(ask, id, visibility)))
        throw notWritten("table call_name");
    const found: Found[] = [];
    for (const call of await readItems(ask, rows, form)) {
      const item = await readVisible(ask, call, visibility);
      if (item === undefined) continue;
      if (!listNames(kind, item).includes(text)) throw notWritten("table call_name");
      found.push({ id: BigInt(call.row.id), item });
    }
    return found;
  };
  const atOnce = <T>(work: (transaction: Transaction) => Promise<T>) => readAtOnce(read, work);
  const findRecords = (named: Named, visibility: Visibility) =>
    atOnce(async ({ ask }) => (await find(ask, named, visibility)).map(({ item }) => item.record));

  return {
    byCallId: (callId, visibility) => findRecords(["c", callId], visibility),
    byReference: (reference, visibility) => findRecords(["r", reference], visibility),
    search: createSearch(archive),
    recordings: (of, visibility) =>
      atOnce(async ({ ask }) => {
        const named: Named = "callId" in of ? ["c", of.callId] : ["r", of.reference];
        const calls = await find(ask, named, visibility);
        return toRecordingOrder(
          calls.map(({ id, item: { record, recordings } }) =>
            toFound({ instantMs: toInstantMs(id), record, recordings }),
          ),
        );
      }),
    chat: (callId, visibility) =>
      atOnce(async ({ ask }) => {
        // A caller without restrictions also sees a chat that has no call record.
        const isSeen =
          visibility === "everything" || (await find(ask, ["c", callId], visibility)).length > 0;
        if (!isSeen) return [];
        return [...(await readChats(ask, [toName(callId)], form.toMessage))(callId)];
      }),
  };
}

type Named = readonly [kind: NameKind, text: string];

const listNames = (kind: NameKind, { record, sessionId, masterId }: CallItem) =>
  kind === "c" ? [record.call_id] : [record.ref_id, sessionId, masterId];
