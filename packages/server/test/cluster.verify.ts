// Three servers, one PostgreSQL, one bucket: servers are killed, the database stands still, and no read that was answered is lost.
import { setTimeout as wait } from "node:timers/promises";
import { listProcesses, signalAll } from "@call-media/test-setup/postgres";
import { expect, onTestFinished, test, vi } from "vitest";
import {
  CALLS,
  type Cluster,
  expectDone,
  isLong,
  type Server,
  SERVERS,
  startCluster,
} from "./support/cluster.ts";
import { scrape, valueOf } from "./support/scrape.ts";
import { KINDS, type Load, type Reply, startLoad } from "./support/cluster-load.ts";

// Two for each server that is killed: a minute in all in the long form.
const PHASE_MS = isLong ? 10_000 : 700;

// How long the database stands still at least.
const STILL_MS = isLong ? 20_000 : 0;

// Far beyond what a busy machine needs.
const WAIT = { timeout: 60_000, interval: 50 };

const PLACES = Array.from({ length: SERVERS }, (_, place) => place);

interface Row {
  readonly seq: number;
  readonly requestId?: string;
  readonly isCut?: boolean;
}

async function readRows({ places }: Cluster): Promise<readonly Row[]> {
  const listed = await expectDone("audit", "--format", "jsonl", ...places);
  return listed
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Row); // the fields that "audit" documents
}

const isAnswered = ({ status }: Reply) => status === 200 || status === 206;

/**
 * The rows of metadata may be 100 ms behind their answers, so a server that is killed may take some with it. Those of recordings
 * come first, and with them all before them: what was answered before a recording was asked for, which was answered then.
 */
function findOwed(replies: readonly Reply[]): readonly Reply[] {
  const answered = replies.filter(isAnswered);
  const settledAt = new Map<Server, number>();
  for (const { server, operation, askedAt } of answered)
    if (operation === "recording")
      settledAt.set(server, Math.max(askedAt, settledAt.get(server) ?? 0));
  return answered.filter(
    ({ server, operation, answeredAt }) =>
      server.killedAt === undefined ||
      operation === "recording" ||
      answeredAt < (settledAt.get(server) ?? 0),
  );
}

/** Ends the servers, and holds what they have answered against the log. */
async function expectNothingLost(cluster: Cluster, { replies }: Load): Promise<void> {
  const codes = await Promise.all(cluster.servers.map(({ program }) => program.stop()));
  expect(codes).toEqual(PLACES.map(() => 0));
  await expectDone("audit", "verify", ...cluster.places);

  const rows = await readRows(cluster);
  expect(rows.map(({ seq }) => seq)).toEqual(rows.map((_, index) => index + 1));
  const isOfRecording = new Map(
    replies.map((reply) => [reply.requestId, reply.operation === "recording"]),
  );
  const [whole, cut] = [new Map<string, number>(), new Map<string, number>()];
  for (const { requestId, isCut } of rows) {
    if (requestId === undefined) continue;
    const counts = isCut ? cut : whole;
    counts.set(requestId, (counts.get(requestId) ?? 0) + 1);
  }
  const unlogged = findOwed(replies).filter(({ requestId }) => !whole.has(requestId));
  expect(unlogged.map(toText)).toEqual([]);
  expect([...whole].filter(([, count]) => count > 1)).toEqual([]);
  expect([...cut].filter(([id, count]) => count > 1 || !isOfRecording.get(id))).toEqual([]);
}

const isOfKilled = ({ status, answeredAt, server: { killedAt } }: Reply) =>
  status === 0 && killedAt !== undefined && answeredAt > killedAt;

const toText = ({ operation, status, requestId, server }: Reply) =>
  `${operation} ${status} ${requestId} of ${server.program.pid}`;

/** Waits until every server has answered each kind of request. */
async function untilAsked(cluster: Cluster, replies: () => readonly Reply[]): Promise<void> {
  const toKind = ({ program }: Server, kind: string) => `${kind} of ${program.pid}`;
  const all = cluster.servers.flatMap((server) => KINDS.map((kind) => toKind(server, kind)));
  await vi.waitFor(() => {
    const answered = replies().filter(isAnswered);
    const seen = new Set(answered.map(({ server, operation }) => toKind(server, operation)));
    expect(all.filter((kind) => !seen.has(kind))).toEqual([]);
  }, WAIT);
}

/** Prometheus tells them apart by where it has asked: the figures are each server's own, but for those of the archive. */
async function expectOwnMetrics({ servers }: Cluster, { replies }: Load): Promise<void> {
  const rows = new Set<number>();
  for (const server of servers) {
    const lookUps = replies.filter(
      (reply) => reply.server === server && reply.operation === "look-up" && isAnswered(reply),
    );
    const samples = await scrape(server.program.metricsUrl);
    // Labels of its own would have to give way.
    expect(samples.filter(({ labels }) => "instance" in labels || "job" in labels)).toEqual([]);
    const count = (operation: string) =>
      valueOf(samples, "call_media_requests_total", { operation, status: "2xx" });
    expect(count("getMetadataByCallId") + count("getMetadataByReference")).toBe(lookUps.length);
    rows.add(valueOf(samples, "call_media_import_rows_total", { outcome: "imported" }));
  }
  expect([...rows]).toEqual([CALLS + 1]);
}

const signIn = (baseUrl: string, credentials: object) =>
  fetch(`${baseUrl}/Token`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(credentials),
  });

test("each server is killed in turn: the others go on, and every answer has its row, once", async () => {
  const cluster = await startCluster();
  const load = await startLoad(cluster);
  for (const place of PLACES) {
    await wait(PHASE_MS);
    await untilAsked(cluster, () => load.replies);
    await cluster.kill(place);
    await wait(PHASE_MS);
    await cluster.restart(place);
  }
  await untilAsked(cluster, () => load.replies);
  await load.stop();

  await expectOwnMetrics(cluster, load);

  // Who was killed has lost connections; nothing else went wrong anywhere.
  const wrong = load.replies.filter((reply) => !isAnswered(reply) && !isOfKilled(reply));
  expect(wrong.map(toText)).toEqual([]);

  const urls = cluster.servers.map(({ program }) => program.baseUrl);
  const read = async (url: string) => {
    const headers = { Authorization: `Bearer ${load.token()}` };
    return (await fetch(`${url}/metadata/by-call-id/call-1`, { headers })).status;
  };
  expect(await Promise.all(urls.map(read))).toEqual([200, 200, 200]);
  await expectDone("token", "revoke", load.token(), ...cluster.places);
  expect(await Promise.all(urls.map(read))).toEqual([401, 401, 401]);

  const wrongKey = { ...cluster.application, secretKey: "wrong" };
  for (let failure = 0; failure < 5; failure += 1)
    expect((await signIn(urls[failure % SERVERS] ?? "", wrongKey)).status).toBe(401);
  const delayed = await Promise.all(urls.map((url) => signIn(url, cluster.application)));
  expect(delayed.map(({ status }) => status)).toEqual([429, 429, 429]);

  await expectNothingLost(cluster, load);
});

test("while the database stands still every request is answered 503, and afterwards as before", async () => {
  const cluster = await startCluster();
  const load = await startLoad(cluster);
  await untilAsked(cluster, () => load.replies);

  const pids = await listProcesses(cluster.postgres.process);
  onTestFinished(() => signalAll(pids, "SIGCONT"));
  signalAll(pids, "SIGSTOP");
  const still = wait(STILL_MS);
  const stoppedAt = cluster.tick();
  const since = (at: number) => load.replies.filter(({ askedAt }) => askedAt > at);
  const ready = async () =>
    await Promise.all(
      cluster.servers.map(async ({ program }) => (await fetch(`${program.baseUrl}/readyz`)).status),
    );
  expect(await ready()).toEqual([503, 503, 503]);
  // What was under way has been answered, and on every server something that came later.
  await vi.waitFor(() => {
    expect([...load.pending].filter((askedAt) => askedAt < stoppedAt)).toEqual([]);
    expect(new Set(since(stoppedAt).map(({ server }) => server)).size).toBe(SERVERS);
  }, WAIT);
  await still;
  const refused = since(stoppedAt);
  expect(refused.filter(({ status }) => status !== 503).map(toText)).toEqual([]);
  expect(refused.filter(({ retryAfter }) => retryAfter === null).map(toText)).toEqual([]);
  signalAll(pids, "SIGCONT");

  await expect.poll(ready).toEqual([200, 200, 200]);
  const readyAt = cluster.tick();
  await untilAsked(cluster, () => since(readyAt));
  await load.stop();
  expect(
    since(readyAt)
      .filter((reply) => !isAnswered(reply))
      .map(toText),
  ).toEqual([]);
  const wrong = load.replies.filter((reply) => !isAnswered(reply) && reply.status !== 503);
  expect(wrong.map(toText)).toEqual([]);
  await expectNothingLost(cluster, load);
});
