// Calls are found by their references whenever they took place, and whatever was undone in between.
import { expect, test } from "vitest";
import { openStore } from "../src/sqlite/sqlite-store.ts";
import { createArchive } from "./support/archives.ts";
import { call, fill, fillRows, toUser } from "./support/records.ts";

const DATETIMES = [
  null,
  "1850-01-01T00:00:00Z",
  "1969-12-31T23:59:59.999Z",
  "2026-11-22T03:00:00Z",
];

test("calls of all times are found by each of their references, the newest first", async () => {
  const { directory } = await createArchive();
  await using store = await openStore({ directory });
  const calls = DATETIMES.map((datetime, index) =>
    call(
      { call_id: `c${index}`, ref_id: "r", datetime },
      { sessionId: "s", masterId: `m${index}` },
    ),
  );
  await fill(store, calls);

  const ids = async (name: string) =>
    (await store.calls.byReference(name, [])).map(({ call_id }) => call_id);
  expect(await ids("r")).toEqual(["c3", "c2", "c1", "c0"]);
  expect(await ids("s")).toEqual(["c3", "c2", "c1", "c0"]);
  for (const index of DATETIMES.keys()) expect(await ids(`m${index}`)).toEqual([`c${index}`]);
});

test("the first call of a time is found when another one was undone before it", async () => {
  const { directory } = await createArchive();
  await using store = await openStore({ directory });
  const first = call({ call_id: "c1", ref_id: "r", datetime: "2026-11-22T03:00:00Z" });
  const other = call({ call_id: "c2", ref_id: "r", datetime: "2026-11-22T04:00:00Z" });
  const users = [1, 2].map((id) => ({
    kind: "user" as const,
    record: toUser(id, { username: "ann" }),
  }));

  const outcomes = await fillRows(store, [[first, ...users], [other]]);
  expect(outcomes).toMatchObject([{ rejected: expect.stringMatching("username") }, "imported"]);
  expect(await store.calls.byReference("r", [])).toMatchObject([{ call_id: "c2" }]);
});
