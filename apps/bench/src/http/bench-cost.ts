// The cost of a part of the service for a lookup by call id: the service with it against the service without.
import { join } from "node:path";
import type { Goal } from "../goals.ts";
import { type CallsWorld, measureRound, openCallsWorld } from "../load/calls-world.ts";
import { type Serving, startServing } from "../serving/program.ts";
import { type Server, startServer } from "../serving/server-process.ts";
import { printTable } from "../table.ts";
import { takeTurns, toTurnMedian } from "../turns.ts";

const TURNS = 15;

/** The access log: rows written, against rows dropped where the service hands them to the store. */
export async function benchAccessLog(rows: number): Promise<readonly Goal[]> {
  await using world = await openCallsWorld(rows);
  const { directory } = world;
  await using on = await startServer("./service-process.ts", directory);
  await using off = await startServer("./service-process.ts", directory, "no-access-log");
  const measured = await compare(world, { what: "access log", on, off });
  return [{ what: "access log: CPU of a read by call id against none", measured, ...AT_MOST }];
}

const AT_MOST = { is: "at most", limit: 1.2 } as const;

/** A line in the log for each request, into a file, and the counts for Prometheus, against neither. */
export async function benchLogs(rows: number): Promise<readonly Goal[]> {
  await using world = await openCallsWorld(rows);
  const serve = (...flags: readonly string[]): Promise<Serving> =>
    startServing({
      directory: world.directory,
      logFile: join(world.folder, "service.log"),
      arguments: flags,
    });
  await using on = await serve("--log-format", "json", "--metrics-port", "0");
  await using off = await serve("--log-level", "silent");
  const measured = await compare(world, { what: "log and metrics", on, off });
  return [
    { what: "log and metrics: CPU of a read by call id against neither", measured, ...AT_MOST },
  ];
}

interface Compared {
  readonly what: string;
  readonly on: Server;
  readonly off: Server;
}

async function compare(world: CallsWorld, { what, on, off }: Compared): Promise<number> {
  const turns = await takeTurns(
    { on: () => measureRound(world, on), off: () => measureRound(world, off) },
    TURNS,
  );
  const ratio = toTurnMedian(turns, (turn) => turn.on.cpuUs / turn.off.cpuUs);
  const toLine = (name: string, kind: "on" | "off") => [
    name,
    toTurnMedian(turns, (turn) => turn[kind].perSecond).toFixed(0),
    toTurnMedian(turns, (turn) => turn[kind].cpuUs).toFixed(1),
    toTurnMedian(turns, (turn) => turn[kind].cpuUs / turn.off.cpuUs).toFixed(2),
  ];
  printTable(`Metadata by call id over HTTP, ${what}`, [
    ["", "requests/s", "CPU us a request", "ratio"],
    toLine("on", "on"),
    toLine("off", "off"),
  ]);
  return ratio;
}
