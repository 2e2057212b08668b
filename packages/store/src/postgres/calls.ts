// Reading calls, their recordings and their chats by identifier, with the caller's access filter (D21).
import {
  type Calls,
  type ChatMessageRecord,
  isFault,
  type MetadataRecord,
  type Visibility,
} from "../port/index.ts";
import { toInstantMs } from "../values/order-key.ts";
import { parseStored } from "../values/record-form.ts";
import { toFound, toRecordingOrder } from "../values/recording-order.ts";
import { createAccessFilters } from "../values/visibility.ts";
import type { Archive } from "./archive.ts";
import { readAtOnce } from "./at-once.ts";
import { createRecordForm, readCalls, readRecordings } from "./call-rows.ts";
import type { Ask, Transaction } from "./connection.ts";
import { type NameKind, toName } from "./names.ts";
import { createSearch } from "./search/search.ts";

/** A call that may be shown. */
interface Found {
  readonly id: string;
  readonly record: MetadataRecord;
}

export function createCalls(archive: Archive): Calls {
  const { read, settings } = archive;
  const form = createRecordForm(settings);
  const toFilter = createAccessFilters();
  // The rights on an unreadable record cannot be checked: only a caller without restrictions gets it.
  const readVisible = (stored: string, visibility: Visibility): MetadataRecord | undefined => {
    if (visibility === "everything") return form.toRecord(stored);
    try {
      const record = form.toRecord(stored);
      return toFilter(visibility)(record) ? record : undefined;
    } catch (error) {
      if (isFault(error, "damaged")) return undefined;
      throw error;
    }
  };
  const find = async (ask: Ask, [kind, text]: Named, visibility: Visibility): Promise<Found[]> => {
    const names = await ask<{ id: string }>(
      `SELECT id FROM call_name WHERE name = $1::uuid AND kind = $2::"char"`,
      [toName(text), kind],
    );
    const rows = await readCalls(
      ask,
      names.map(({ id }) => BigInt(id)),
    );
    return rows.flatMap(({ id, record }) => {
      const visible = readVisible(record, visibility);
      return visible === undefined ? [] : [{ id, record: visible }];
    });
  };
  const atOnce = <T>(work: (transaction: Transaction) => Promise<T>) => readAtOnce(read, work);
  const findRecords = (named: Named, visibility: Visibility) =>
    atOnce(async ({ ask }) => (await find(ask, named, visibility)).map(({ record }) => record));

  return {
    byCallId: (callId, visibility) => findRecords(["c", callId], visibility),
    byReference: (reference, visibility) => findRecords(["r", reference], visibility),
    search: createSearch(archive),
    recordings: (of, visibility) =>
      atOnce(async ({ ask }) => {
        const named: Named = "callId" in of ? ["c", of.callId] : ["r", of.reference];
        const calls = await find(ask, named, visibility);
        const recordingsOf = await readRecordings(
          ask,
          calls.map(({ id }) => BigInt(id)),
        );
        return toRecordingOrder(
          calls.map(({ id, record }) =>
            toFound({
              instantMs: toInstantMs(BigInt(id)),
              record,
              recordings: recordingsOf(id),
            }),
          ),
        );
      }),
    chat: (callId, visibility) =>
      atOnce(async ({ ask }) => {
        // A caller without restrictions also sees a chat that has no call record.
        const isSeen =
          visibility === "everything" || (await find(ask, ["c", callId], visibility)).length > 0;
        if (!isSeen) return [];
        const rows = await ask<{ record: string }>(
          "SELECT record FROM chat WHERE call_name = $1::uuid ORDER BY instant_ms, id",
          [toName(callId)],
        );
        return rows.map(({ record }): ChatMessageRecord => parseStored(record));
      }),
  };
}

type Named = readonly [kind: NameKind, text: string];
