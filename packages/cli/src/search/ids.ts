// Looks up calls by a list of identifiers instead of a search.
import { addDays, type CallMediaClient, isDay } from "@call-media/client";
import type { Days } from "@call-media/handover";
import { CommandFailure } from "../failures/command-failure.ts";
import { toCounted } from "@call-media/terminal";
import type { Found } from "./found.ts";

/** Looks them up sequentially, in the order of the list. A transferred call has several records. */
export function openIds(
  client: CallMediaClient,
  ids: readonly string[],
  signal: AbortSignal,
): Found {
  const missing: string[] = [];
  const counted = { rows: 0, duplicates: 0, windows: [], verdict: "complete" as const };
  return {
    missing,
    report: counted,
    async *pages() {
      for (const call_id of ids) {
        const init = { params: { path: { call_id } }, signal };
        const { data, response } = await client.GET("/metadata/by-call-id/{call_id}", init);
        const records = data.data;
        counted.rows += records.length;
        if (records.length === 0) missing.push(call_id);
        else yield { records, response };
      }
    },
  };
}

/**
 * The days of the calls, with one more day on either side, because the archive's days may begin at another hour than those of a record.
 *
 * @throws CommandFailure if there is none.
 */
export async function findDays(
  client: CallMediaClient,
  ids: readonly string[],
  signal: AbortSignal,
): Promise<Days> {
  const days: string[] = [];
  for await (const { records } of openIds(client, ids, signal).pages())
    for (const { datetime } of records) days.push((datetime ?? "").slice(0, 10));
  const [first, ...rest] = days.filter(isDay).toSorted();
  if (first === undefined)
    throw new CommandFailure(
      `none of ${toCounted(ids.length, "identifier")} is of a call with a datetime that you may see`,
    );
  return { from: addDays(first, -1), to: addDays(rest.at(-1) ?? first, 1) };
}

/** The same list as a condition for `--where`. */
export const toIdCondition = (ids: readonly string[]): string =>
  ids.map((id) => `call_id == ${JSON.stringify(id)}`).join(" || ");
