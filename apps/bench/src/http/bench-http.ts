// Metadata by call id over HTTP, against a bare node:http server that sends the same bytes.
import type { Goal } from "../goals.ts";
import { type CallsWorld, measureRound, openCallsWorld, type Round } from "../load/calls-world.ts";
import { type Server, startServer } from "../serving/server-process.ts";
import { type Line, printTable } from "../table.ts";
import { takeTurns, toTurnMedian, type Turn } from "../turns.ts";

const TURNS = 9;

const SERVERS = {
  service: "the service",
  text: "bare, body ready as text",
  object: "bare, body by JSON.stringify",
} as const;

type ServerName = keyof typeof SERVERS;
type Turns = readonly Turn<ServerName, Round>[];

export async function benchHttp(rows: number): Promise<readonly Goal[]> {
  await using world = await openCallsWorld(rows);
  await using service = await startServer("./service-process.ts", world.directory);
  const body = await readBody(service, world);
  await using text = await startServer("./bare-process.ts", "text", body);
  await using object = await startServer("./bare-process.ts", "object", body);
  const turns = await takeTurns(
    {
      service: () => measureRound(world, service),
      text: () => measureRound(world, text),
      object: () => measureRound(world, object),
    },
    TURNS,
  );
  const what = `${rows.toLocaleString("en")} calls, answers of ${Buffer.byteLength(body)} bytes`;
  printTable(`Metadata by call id over HTTP (${what})`, toLines(turns));
  return [];
}

async function readBody({ port }: Server, { asked, authorization }: CallsWorld) {
  const url = `http://127.0.0.1:${port}${asked[0]?.path}`;
  const response = await fetch(url, { headers: { authorization } });
  if (!response.ok) throw new Error(`the service answered ${response.status}`);
  return response.text();
}

function toLines(turns: Turns): Line[] {
  const toLine = (name: ServerName): Line => [
    SERVERS[name],
    toTurnMedian(turns, (turn) => turn[name].perSecond).toFixed(0),
    toTurnMedian(turns, (turn) => turn.service.perSecond / turn[name].perSecond).toFixed(2),
    toTurnMedian(turns, (turn) => turn[name].cpuUs).toFixed(1),
    toTurnMedian(turns, (turn) => turn[name].cpuUs / turn.service.cpuUs).toFixed(2),
  ];
  const head = ["", "requests/s", "the service has", "CPU us a request", "the service has"];
  return [head, ...(Object.keys(SERVERS) as ServerName[]).map(toLine)];
}
