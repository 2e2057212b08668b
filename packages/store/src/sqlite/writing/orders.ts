// The order of calls within their instant (D09), and of messages, continuing that of the archive.
import type { DatabaseSync } from "node:sqlite";
import { FIRST_DATED_ID, MAX_ORDER, toFirstId, toLastId, toOrder } from "../../values/order-key.ts";
import { RowRejected } from "../../values/row-rejected.ts";
import type { SliceMeans } from "../../writing/slice.ts";
import { prepareBig, prepareRows } from "../files/connection.ts";

/** Makes a function that starts counting for a batch, which must be written before the next one. */
export function createOrderSource(database: DatabaseSync) {
  const lowest = prepareBig<{ id: bigint | null }>(
    database,
    "SELECT min(id) AS id FROM call WHERE id >= ? AND id <= ?",
  );
  const lowestUndated = prepareBig<{ id: bigint | null }>(
    database,
    "SELECT min(id) AS id FROM call WHERE id < ?",
  );
  const lastChat = prepareRows<{ id: number | null }>(database, "SELECT max(id) AS id FROM chat");
  return (): Pick<SliceMeans, "nextOrder" | "nextChat"> => {
    const orders = new Map<number | undefined, number>();
    const readNext = (instantMs: number | undefined) => {
      const row =
        instantMs === undefined
          ? lowestUndated.get(FIRST_DATED_ID)
          : lowest.get(toFirstId(instantMs), toLastId(instantMs));
      const id = row?.id ?? undefined;
      return id === undefined ? 0 : toOrder(id) + 1;
    };
    let chat: number | undefined;
    return {
      nextOrder: (instantMs) => {
        const order = orders.get(instantMs) ?? readNext(instantMs);
        if (instantMs !== undefined && order > MAX_ORDER)
          throw new RowRejected(
            "datetime: the archive holds 1,048,576 calls of this very millisecond already",
          );
        orders.set(instantMs, order + 1);
        return order;
      },
      nextChat: () => (chat = (chat ?? lastChat.get()?.id ?? 0) + 1),
    };
  };
}
