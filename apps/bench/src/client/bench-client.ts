// What a call by the client costs beside the same call by the built-in fetch and by others, one at a time and 50 at once.
import { routes } from "@call-media/api";
import { startServer } from "../serving/server-process.ts";
import { measureSpent, type Spent } from "../measure.ts";
import { type Line, printTable } from "../table.ts";
import { takeTurns, toTurnMedian, type Turn } from "../turns.ts";
import { type Ask, createCallers } from "./callers.ts";
import { measureBundles } from "./bundles.ts";

// Many short turns: what else the machine does strikes neighbours alike.
const TURNS = 60;
const CALLS = 100;
const GOAL = 1.2;

type CallerName = keyof ReturnType<typeof createCallers>;

export async function benchClient(): Promise<void> {
  const body = findExample();
  await using server = await startServer("./bare-process.ts", "text", body);
  const callers = createCallers(server.port);
  const size = `${CALLS} calls a turn, ${TURNS} turns, answers of ${Buffer.byteLength(body)} bytes`;
  for (const atOnce of [1, 50]) {
    const kinds = mapValues(callers, (ask) => () => measureSpent(() => askAll(ask, atOnce)));
    const turns = await takeTurns(kinds, TURNS);
    const title = atOnce === 1 ? "one at a time" : `${atOnce} at once`;
    printTable(`A call by the client, ${title} (${size})`, toLines(turns));
  }
  printTable("What a bundle weighs, minified, gzip -9", await measureBundles());
}

/** A page of one call, as the contract shows it. */
function findExample(): string {
  const route = routes.find(({ operationId }) => operationId === "getMetadataByCallId");
  const examples = route?.responses["200"]?.content?.["application/json"]?.examples ?? {};
  return JSON.stringify(Object.values(examples)[0]?.value);
}

async function askAll(ask: Ask, atOnce: number): Promise<void> {
  let left = CALLS;
  const askOn = async () => {
    while (left-- > 0)
      if ((await ask()) === 0) throw new Error("a call was answered without a record");
  };
  await Promise.all(Array.from({ length: atOnce }, askOn));
}

function mapValues<Name extends string, From, To>(
  from: Readonly<Record<Name, From>>,
  change: (value: From) => To,
) {
  const entries = Object.entries<From>(from).map(([name, value]) => [name, change(value)] as const);
  return Object.fromEntries(entries) as Record<Name, To>; // the same names
}

function toLines(turns: readonly Turn<CallerName, Spent>[]): Line[] {
  const names = Object.keys(turns[0] ?? {}) as CallerName[];
  const microseconds = (seconds: number) => ((seconds / CALLS) * 1e6).toFixed(0);
  const toLine = (name: CallerName): Line => {
    const ratio = toTurnMedian(turns, (turn) => turn[name].wallSeconds / turn.fetch.wallSeconds);
    return [
      name,
      microseconds(toTurnMedian(turns, (turn) => turn[name].wallSeconds)),
      ratio.toFixed(2),
      microseconds(toTurnMedian(turns, (turn) => turn[name].cpuSeconds)),
      toTurnMedian(turns, (turn) => turn[name].cpuSeconds / turn.fetch.cpuSeconds).toFixed(2),
      name === "client" ? `${ratio <= GOAL ? "yes" : "no"}: at most ${GOAL}` : "",
    ];
  };
  const head = ["", "us a call", "of fetch", "CPU us", "of fetch", "goal kept"];
  return [head, ...names.map(toLine)];
}
