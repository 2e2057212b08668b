// Reads during failing sign-ins, each of which costs a deliberately slow hash.
import { join } from "node:path";
import type { Goal } from "../goals.ts";
import { toPercentile } from "../measure.ts";
import { startServing } from "../serving/program.ts";
import { printTable } from "../table.ts";
import { takeTurns, toTurnMedian, type Turn } from "../turns.ts";
import { openCallsWorld } from "./calls-world.ts";
import { type Asked, type LoadResult, sendLoad } from "./load.ts";

const TURNS = 5;
const READERS = 8;
const INTRUDERS = 50;
const ROUND_MS = 3_000;
const MIN_SHARE = 0.5;

interface Round {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly signInsPerSecond: number;
}

/** Reads by call id with and without 50 sign-ins under way all the time, in turns. */
export async function benchSignIn(rows: number): Promise<readonly Goal[]> {
  await using world = await openCallsWorld(rows);
  await using service = await startServing({
    directory: world.directory,
    logFile: join(world.folder, "service.log"),
    // Then the addresses that the intruders give for themselves are believed, and none of them is held up (D23).
    arguments: ["--behind-proxy"],
  });
  const { port } = service;
  const { asked, authorization } = world;
  const isOver = (_: number, elapsedMs: number) => elapsedMs > ROUND_MS;
  const read = () => sendLoad({ port, asked, authorization, clients: READERS, isOver });
  const intruders = createIntruders();
  const intrude = () =>
    sendLoad({ port, asked: intruders(), clients: INTRUDERS, isOver, statuses: [401] });
  const turns = await takeTurns(
    {
      quiet: async () => toRound(await read()),
      attacked: async () => {
        const [reads, signIns] = await Promise.all([read(), intrude()]);
        return toRound(reads, signIns);
      },
    },
    TURNS,
  );
  return report(turns);
}

function report(turns: readonly Turn<"quiet" | "attacked", Round>[]): readonly Goal[] {
  const measured = toTurnMedian(turns, (turn) => turn.attacked.perSecond / turn.quiet.perSecond);
  const toLine = (name: string, kind: "quiet" | "attacked") => [
    name,
    toTurnMedian(turns, (turn) => turn[kind].perSecond).toFixed(0),
    toTurnMedian(turns, (turn) => turn[kind].p50Ms).toFixed(2),
    toTurnMedian(turns, (turn) => turn[kind].p99Ms).toFixed(2),
    toTurnMedian(turns, (turn) => turn[kind].signInsPerSecond).toFixed(0),
  ];
  printTable(
    `Metadata by call id, ${READERS} readers, beside ${INTRUDERS} bad sign-ins at a time`,
    [
      ["", "reads/s", "p50 ms", "p99 ms", "sign-ins/s"],
      toLine("no sign-ins", "quiet"),
      toLine("bad sign-ins", "attacked"),
    ],
  );
  const what = "reads by call id beside 50 bad sign-ins at a time against none";
  return [{ what, measured, is: "at least", limit: MIN_SHARE }];
}

function toRound({ answers, elapsedMs, timesMs }: LoadResult, signIns?: LoadResult): Round {
  return {
    perSecond: (answers * 1_000) / elapsedMs,
    p50Ms: toPercentile([...timesMs], 50),
    p99Ms: toPercentile([...timesMs], 99),
    signInsPerSecond: signIns ? (signIns.answers * 1_000) / signIns.elapsedMs : 0,
  };
}

// More than a round can take: each id and each address is refused once, so that every attempt costs its hash.
const ATTEMPTS = 20_000;

function createIntruders(): () => readonly Asked[] {
  let round = 0;
  return () => {
    round += 1;
    return Array.from({ length: ATTEMPTS }, (_, index) => ({
      path: "/Token",
      body: JSON.stringify({ secretID: `app_${round}_${index}`, secretKey: "guessed" }),
      headers: { "x-forwarded-for": `10.${round}.${index >> 8}.${index & 255}` },
    }));
  };
}
