// Rows of the access log as a test finds them: when those that were promised before have been written.
import type { AccessEntry, CallStore, LogRow } from "@call-media/store";

/** A row of no request: when it has been written, so have all before it. */
export const MARK: AccessEntry = {
  timeMs: 0,
  requestId: "mark",
  address: "",
  userId: 0,
  credential: "",
  operation: "listPublicFlags",
  asked: {},
  callIds: [],
  rows: 0,
  status: 200,
};

export async function readRowsOf(store: CallStore, requestId: string): Promise<LogRow[]> {
  await store.accessLog.append({ ...MARK }, true);
  return (await readRows(store)).filter((row) => row.requestId === requestId);
}

/** All that there are. */
export async function readRows({ accessLog }: CallStore): Promise<LogRow[]> {
  const rows: LogRow[] = [];
  for await (const row of accessLog.read({})) rows.push(row);
  return rows;
}
