// How far back the lists of a call are counted.
import { expect, test } from "vitest";
import { toEntry } from "../src/suite/access-log.ts";
import { collectLists, WINDOW_ROWS } from "../src/values/access-calls.ts";
import { toRowHash } from "../src/values/access-chain.ts";

/** Windows of a log that has the call in a list at the beginning of each. */
const readWindow = async (beforeSeq: number) => {
  const seq = Math.min(beforeSeq, 10 * WINDOW_ROWS + 1) - WINDOW_ROWS;
  if (seq < 1) return undefined;
  const entry = JSON.stringify(toEntry({ timeMs: seq, callIds: ["A", "B"] }));
  const row = { seq, entry, hash: toRowHash("", seq, entry), before: "" };
  return { firstSeq: seq, firstMs: seq, isSince: true, rows: [row] };
};

test("lists are counted to the end of the log, and no further than so many rows", async () => {
  const query = { callId: "A", limit: 1, sinceMs: 1 };
  expect(await collectLists(readWindow, query)).toMatchObject({ count: 10, sinceMs: 1 });
  const cut = await collectLists(readWindow, query, 3 * WINDOW_ROWS);
  expect(cut).toMatchObject({ count: 3, sinceMs: 7 * WINDOW_ROWS + 1 });
  expect(cut.rows).toHaveLength(1);
});
