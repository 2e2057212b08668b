// The cost of a call by the client, against the same call by the built-in fetch and by openapi-fetch, one at a time and 50 in
// parallel.
import { routes } from "@call-media/api";
import { startServer } from "../serving/server-process.ts";
import { type Line, printTable } from "../table.ts";
import { type Ask, createCallers } from "./callers.ts";
import { type Comparison, comparePairs } from "./pairs.ts";

// Many short halves: a pause of the machine or a collection of garbage spoils few of them.
const PAIRS = 80;
const CALLS = 50;
// The time that callers wait; next to it CPU time, which other programs on the machine hardly change.
const GOAL = 1.2;

export async function benchClient(): Promise<void> {
  const body = findExample();
  await using server = await startServer("./bare-process.ts", "text", body);
  const { fetch: base, ...others } = createCallers(server.port);
  const size = `${CALLS} calls a half, ${PAIRS} pairs, answers of ${Buffer.byteLength(body)} bytes`;
  for (const atOnce of [1, 50]) {
    const head = ["", "us a call", "of fetch", "middle half", "CPU us", "of fetch", "goal kept"];
    const lines: Line[] = [head];
    // Fetch against itself shows the noise of the machine in a ratio.
    for (const [name, ask] of Object.entries({ fetch: base, ...others })) {
      const toWork = (one: Ask) => () => askAll(one, atOnce);
      lines.push(toLine(name, await comparePairs(toWork(base), toWork(ask), PAIRS)));
    }
    const title = atOnce === 1 ? "one at a time" : `${atOnce} at once`;
    printTable(`A call by the client beside fetch, ${title} (${size})`, lines);
  }
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

function toLine(name: string, comparison: Comparison): Line {
  const { wallSeconds, cpuSeconds, wallRatios, cpuRatios } = comparison;
  const microseconds = (seconds: number) => ((seconds / CALLS) * 1e6).toFixed(0);
  const [low, median, high] = wallRatios;
  return [
    name,
    microseconds(wallSeconds),
    median.toFixed(2),
    `${low.toFixed(2)}-${high.toFixed(2)}`,
    microseconds(cpuSeconds),
    cpuRatios[1].toFixed(2),
    name === "client" ? `${median <= GOAL ? "yes" : "no"}: at most ${GOAL}` : "",
  ];
}
