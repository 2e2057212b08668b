// Every question to the database is answered by an index. The statements are the ones the store prepares, taken as it does.
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test, vi } from "vitest";
import { Connection } from "../src/sqlite/files/connection.ts";
import { createAccessJobs } from "../src/sqlite/access/access-jobs.ts";
import { createCallSearch } from "../src/sqlite/search/call-search.ts";
import { openAccessDatabase, openForSearches } from "../src/sqlite/files/database.ts";
import { openStore } from "../src/sqlite/sqlite-store.ts";
import { createArchive } from "./support/archives.ts";
import { toEntry } from "../src/suite/access-log.ts";
import { call, fill, message, toUser } from "../src/suite/records.ts";

// They grow with the archive; users, flags and settings do not.
const LARGE = new Set([
  "call",
  "index_block",
  "index_page",
  "recording",
  "media",
  "chat",
  "bearer",
  "access",
  "seen_call",
  "seen_chat",
]);

interface Plan {
  readonly sql: string;
  readonly steps: readonly string[];
}

test("no statement reads a large table from one end to the other", async () => {
  const all = await explainAll();
  // An import counts the rows of tables once, by their smallest index.
  const isCount = ({ sql }: Plan) => sql.startsWith("SELECT (SELECT rows FROM row_sum ");
  const scans = all
    .filter((one) => !isCount(one))
    .flatMap(({ sql, steps }) => steps.filter(isScan).map((step) => `${step}: ${sql}`));

  expect(all.length).toBeGreaterThan(25);
  expect(scans).toEqual([]);
});

test.each<[what: string, sql: RegExp, steps: RegExp[]]>([
  [
    "by call_id",
    /record FROM call WHERE call_id = \?$/,
    [/^SEARCH call USING INDEX call_by_call_id \(call_id=\?\)/],
  ],
  [
    "by reference",
    /record FROM call WHERE call.id IN \(WITH wanted.* SELECT id FROM call WHERE id >> /,
    [
      /^SEARCH call USING INTEGER PRIMARY KEY/,
      /^SEARCH call USING COVERING INDEX call_by_ref_id \(<expr>=\? AND ref_id=\?\)/,
      /^SEARCH call USING COVERING INDEX call_by_session_id \(<expr>=\? AND session_id=\?\)/,
      /^SEARCH call USING COVERING INDEX call_by_master_id \(<expr>=\? AND master_id=\?\)/,
    ],
  ],
  [
    "a block of the search index",
    /SELECT bytes FROM index_block/,
    [/^SEARCH index_block USING INTEGER PRIMARY KEY \(rowid=\?\)/],
  ],
  [
    "a page of the search index",
    /SELECT bytes FROM index_page/,
    [/^SEARCH index_page USING INTEGER PRIMARY KEY \(rowid=\?\)/],
  ],
  [
    "removing a segment of the search index",
    /DELETE FROM index_block/,
    [/^SEARCH index_block USING INTEGER PRIMARY KEY \(rowid>\? AND rowid<\?\)/],
  ],
  [
    "the calls of a page",
    /FROM \(VALUES .* CROSS JOIN call/,
    [/^SEARCH call USING INTEGER PRIMARY KEY \(rowid=\?\)/],
  ],
  [
    "the recordings of a call",
    /FROM recording JOIN media .*WHERE call = :id/,
    [/recording USING PRIMARY KEY \(call=\?\)/, /media USING PRIMARY KEY \(sha256=\?\)/],
  ],
  [
    "public flags by their names",
    /FROM flag .*name_key IN/,
    [/^SEARCH flag USING INDEX public_flag_by_name \(name_key=\?\)/],
  ],
  ["a chat", /FROM chat WHERE call_id/, [/chat_by_call_id \(call_id=\?\)/]],
  [
    "a bearer",
    /FROM bearer LEFT JOIN/,
    [/bearer USING PRIMARY KEY \(hash=\?\)/, /application USING PRIMARY KEY \(secret_id=\?\)/],
  ],
  [
    "tokens that expired",
    /DELETE FROM bearer/,
    [/bearer USING INDEX bearer_by_expiry \(expires_ms<\?\)/],
  ],
  [
    "a page of the access log",
    /FROM access WHERE seq > :after/,
    [/access USING INTEGER PRIMARY KEY \(rowid>\?\)/],
  ],
  [
    "its rows of one call",
    /FROM access WHERE entry ->> /,
    [/^SEARCH access USING INDEX access_by_call \(<expr>=\? AND rowid<\?\)/],
  ],
  [
    "its rows of a time",
    /FROM access WHERE seq >= :firstSeq/,
    [/^SEARCH access USING INTEGER PRIMARY KEY \(rowid>\? AND rowid<\?\)/],
  ],
  [
    "its last row",
    /hash FROM access WHERE seq = /,
    [/^SEARCH access USING INTEGER PRIMARY KEY \(rowid=\?\)/, /^SEARCH access$/],
  ],
  ["a call that came again", /FROM call WHERE call_id IN \(\?/, [/call_by_call_id \(call_id=\?\)/]],
  [
    "a call without a call_id that came again",
    /FROM call WHERE call_id IS NULL AND digest IN \(\?/,
    [/anonymous_call_by_digest \(digest=\?\)/],
  ],
  ["a message that came again", /FROM chat WHERE digest IN \(\?/, [/chat_by_digest \(digest=\?\)/]],
])("%s uses its index", async (_what, pattern, expected) => {
  const found = (await explainAll()).filter(({ sql }) => pattern.test(sql));

  expect(found).not.toEqual([]);
  for (const { steps } of found)
    for (const step of expected) expect(steps).toContainEqual(expect.stringMatching(step));
});

let plans: Promise<readonly Plan[]> | undefined;

const explainAll = (): Promise<readonly Plan[]> => (plans ??= explain());

async function explain(): Promise<readonly Plan[]> {
  const { directory } = await createArchive();
  const prepare = vi.spyOn(DatabaseSync.prototype, "prepare");
  try {
    await using store = await openStore({ directory });
    const calls = Array.from({ length: 500 }, (_, index) =>
      call({
        call_id: `c${index}`,
        ref_id: `r${index % 50}`,
        agent: "ann",
        datetime: new Date(index * 60_000).toISOString(),
      }),
    );
    const chats = calls.map(({ record }) => ({
      kind: "chat" as const,
      record: message(String(record.call_id), "Yes.", "2025-01-01T00:00:00Z"),
    }));
    await fill(store, [...calls, ...chats, { kind: "user", record: toUser(1) }]);
    await store.accessLog.verify();
    await store.accessLog.append(toEntry(), true);
    await store.accessLog.ofCall({ callId: "A", limit: 1 });
    await store.accessLog.listsOf({ callId: "A", sinceMs: 0, limit: 1 });
    using access = openAccessDatabase(directory);
    // What the threads would prepare by themselves.
    createAccessJobs(access);
    using reader = openForSearches(directory);
    createCallSearch(reader);
    const statements = new Set(prepare.mock.calls.map(([sql]) => sql));
    prepare.mockRestore();
    using database = new Connection(join(directory, "archive.db"));
    return [...statements]
      .filter((sql) => /^\s*(SELECT|UPDATE|DELETE)/.test(sql))
      .map((sql) => ({ sql, steps: explainIn([database, access], sql) }));
  } finally {
    prepare.mockRestore();
  }
}

/** In the database that has the tables of the statement. */
function explainIn([first, ...others]: readonly DatabaseSync[], sql: string): string[] {
  if (first === undefined) throw new Error(`no database has the tables of ${sql}`);
  try {
    return explainOne(first, sql);
  } catch (error) {
    if (!(error instanceof Error && error.message.startsWith("no such table"))) throw error;
    return explainIn(others, sql);
  }
}

function explainOne(database: DatabaseSync, sql: string): string[] {
  return database
    .prepare(`EXPLAIN QUERY PLAN ${sql}`)
    .all()
    .map(({ detail }) => String(detail));
}

function isScan(step: string): boolean {
  const [, table = ""] = /^SCAN (\w+)/.exec(step) ?? [];
  return LARGE.has(table);
}
