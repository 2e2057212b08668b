// The files that each record should have, with their names. Every run creates the same names, because records come in the same order.
import type { CallRecord } from "@call-media/client";
import { type Item, listItems, type Place, type Places } from "@call-media/handover";
import { type Row, toRecord } from "./journal/journal.ts";
import type { Plan } from "./plan/plan.ts";

/** One file to export: its record, its number, and its paths. The journal has its state. */
export interface FileTask extends Pick<Place, "isFirst"> {
  readonly item: Item;
  readonly record: CallRecord;
  /** Path without extension, as in the manifest. */
  readonly stem: string;
  /** Path of the file while it is incomplete. */
  readonly partPath: string;
}

export const findRowsWithFiles = (plan: Plan, rows: readonly Row[]) =>
  rows.filter((row) => listItems(plan.files, row).length > 0);

/** `partPrefix`: path of incomplete files without their suffix. */
export function toTasks(
  place: ReturnType<Places["open"]>,
  row: Row,
  partPrefix: string,
): readonly FileTask[] {
  const leg = toLeg(row);
  const { items, isFirst, toPath } = place(leg, row.index);
  return items.map((item) => ({
    item,
    isFirst,
    record: leg.record,
    stem: toPath(item),
    partPath: `${partPrefix}.${item.row}.${item.kind}.${item.part}`,
  }));
}

/** Names each day separately, so that the windows of a search do not matter. */
export const toLeg = ({ parts, day, ...row }: Row) => ({ record: toRecord(row), parts, day });
