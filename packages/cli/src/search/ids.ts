// Calls by a list of identifiers, in place of a search.
import { text as readText } from "node:stream/consumers";
import { readFile } from "node:fs/promises";
import { addDays, type CallMediaClient, isDay } from "@call-media/client";
import type { Days } from "@call-media/handover";
import { CommandFailure } from "../failures/command-failure.ts";
import { io, toCounted, UsageError } from "@call-media/terminal";
import type { Found } from "./found.ts";

/** The first line of `search --columns call_id --format csv`. */
const HEADING = "call_id";

/**
 * Identifiers, one a line, below a heading or not, or in the first column of a CSV that is headed `call_id`; "-" is standard input.
 * Leaves out blank lines and duplicates.
 */
export async function readIds(file: string, most = Infinity): Promise<readonly string[]> {
  const text = file === "-" ? await readText(io().stdin) : await readFile(file, "utf8");
  const lines = text.split(/\r\n|\r|\n/).map((line) => line.trim());
  const [head = "", ...rows] = lines;
  const values =
    head === HEADING ? rows : head.startsWith(`${HEADING},`) ? rows.map(toCell) : lines;
  const ids = [...new Set(values)].filter((line) => line !== "");
  if (ids.length === 0) throw new UsageError(`--ids: ${file} has no identifiers, one a line`);
  if (ids.length > most)
    throw new UsageError(
      `--ids: ${file} has ${ids.length.toLocaleString("en")} identifiers, and ${most.toLocaleString("en")} are the most: split it`,
    );
  return ids;
}

/** The first of a line of CSV. */
function toCell(line: string): string {
  const [, quoted, plain = ""] = /^(?:"((?:[^"]|"")*)"|([^,]*))/.exec(line) ?? [];
  const cell = quoted?.replaceAll('""', '"') ?? plain;
  // As formulas are escaped.
  return cell.replace(/^'(?=[=+\-@])/, "");
}

/** Looks up one after the other, in the order of the list. A call has several records where it was transferred. */
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
 * The days of the calls, one more on either side, since the archive's days may begin at another hour than those of a record.
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

/** The same as a condition of `--where`. */
export const toIdCondition = (ids: readonly string[]): string =>
  ids.map((id) => `call_id == ${JSON.stringify(id)}`).join(" || ");
