// What the doctor says of credentials and the access log: the clock, whose credentials they are, rows that were changed.
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { examine, type Finding } from "./support/maintenance.ts";
import { createStore, openStore } from "../src/sqlite/sqlite-store.ts";
import type { CallStore } from "../src/index.ts";
import { createFolder } from "./support/archives.ts";
import { CALLS, changeUnguarded, rewrite } from "./support/examined.ts";
import { createClosedArchive } from "./support/kept-archive.ts";
import { fill, toUser } from "../src/suite/records.ts";
import { toEntry } from "../src/suite/access-log.ts";

const NOW_MS = Date.UTC(2026, 4, 1, 10);

type Add = (store: CallStore, userId: number, createdMs: number) => Promise<unknown>;

const addKey: Add = ({ credentials }, userId, createdMs) =>
  credentials.addBearer({ id: "k", kind: "key", hash: "h", userId, createdMs });

const addApplication: Add = ({ credentials }, userId, createdMs) =>
  credentials.addApplication({ secretID: "app", keyHash: "h", userId, createdMs });

const BOTH: readonly (readonly [name: string, add: Add])[] = [
  ["API key k", addKey],
  ["application app", addApplication],
];

/** An archive with users of status 1, 0 and 2, and a credential of one of them. */
async function createWith(add: Add, userId: number, createdMs = NOW_MS): Promise<string> {
  const directory = await createFolder();
  await using store = await createStore({ directory });
  const users = [toUser(1), toUser(2, { status: 0 }), toUser(3, { status: 2 })];
  await fill(
    store,
    users.map((record) => ({ kind: "user", record })),
  );
  await add(store, userId, createdMs);
  return directory;
}

const examineNow = (directory: string) => examine(directory, { now: () => NOW_MS });

const toFinding = (directory: string, finding: Omit<Finding, "where">): Finding => ({
  ...finding,
  where: join(directory, "access.db"),
});

describe.each(BOTH)("an %s", (name, add) => {
  test("from the future means that the clock is wrong, until it is revoked", async () => {
    const directory = await createWith(add, 1, NOW_MS + 60_001);
    expect(await examine(directory, { now: () => NOW_MS + 1 })).toEqual([]);
    expect(await examineNow(directory)).toEqual([
      toFinding(directory, {
        level: "error",
        what: `the clock of this machine is wrong, or was: it says 2026-05-01T10:00:00.000Z, and ${name} was issued at 2026-05-01T10:01:00.001Z`,
        todo: "set the clock (NTP): tokens end, and rows of the access log are dated, by it; if it is right, revoke what was issued while it was ahead",
      }),
    ]);
    const revoke = "UPDATE bearer SET revoked_ms = 1; UPDATE application SET revoked_ms = 1";
    rewrite(directory, revoke, "access.db");
    expect(await examineNow(directory)).toEqual([]);
  });

  test("of somebody who may not sign in is named, until it is revoked", async () => {
    const directory = await createWith(add, 1);
    const setBoth = (set: string) =>
      rewrite(directory, `UPDATE bearer SET ${set}; UPDATE application SET ${set}`, "access.db");
    expect(await examineNow(directory)).toEqual([]);
    for (const [userId, owner] of [
      [2, "a user who is inactive"],
      [3, "a user who is deleted"],
      [4, "a user that does not exist"],
    ] as const) {
      setBoth(`user_id = ${userId}`);
      expect(await examineNow(directory)).toEqual([
        toFinding(directory, {
          level: "warning",
          what: `${name} belongs to ${owner}: user ${userId}`,
          todo: "revoke it, unless the user is to come back",
        }),
      ]);
    }
    setBoth("revoked_ms = 1");
    expect(await examineNow(directory)).toEqual([]);
  });
});

test.each([
  ["DELETE FROM access WHERE seq = 2", "row 2 is missing"],
  [
    "UPDATE access SET entry = replace(entry, 'r2', 'r9') WHERE seq = 2",
    "row 2 does not follow from row 1: one of them was altered",
  ],
])("an access log after %s", async (sql, fault) => {
  const directory = await createClosedArchive(...CALLS);
  await using store = await openStore({ directory });
  for (const requestId of ["r1", "r2"])
    await store.accessLog.append({ ...toEntry(), requestId }, true);
  expect(await examine(directory)).toEqual([]);

  changeUnguarded(directory, sql, "access.db");

  expect(await examine(directory)).toEqual([
    toFinding(directory, {
      level: "error",
      what: `the access log was changed: ${fault}`,
      todo: 'keep a copy of the archive as it is and find out who could write to it; "audit verify" says the same',
    }),
  ]);
});
