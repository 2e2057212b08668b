// Whether a clock can tell what a user may not see from what does not exist: requests of both in turn over one connection.
// Two kinds of identifiers that do not exist are compared as well: their distance is what chance makes of nothing.
import { Agent } from "node:http";
import { createTemporaryFolder } from "../archive.ts";
import type { Goal } from "../goals.ts";
import { type Asked, ask, type Target } from "../load/load.ts";
import { toPercentile } from "../measure.ts";
import { createRandom, type Random } from "../random.ts";
import { SEARCH_PATH } from "../search/queries.ts";
import { startServer } from "../serving/server-process.ts";
import { type Line, printTable } from "../table.ts";
import { createHiddenCalls, HIDDEN, toId } from "./hidden-calls.ts";

const WARM_UP = 200;
const REPEATS = 1_500;

const toGet = (path: string) => (id: string) => ({ path: `${path}/${id}` });

const OPERATIONS: Readonly<Record<string, (id: string) => Asked>> = {
  "metadata by call id": toGet("/metadata/by-call-id"),
  "metadata by reference": toGet("/metadata/by-reference"),
  "recording by call id": toGet("/recording/by-call-id"),
  "stream by call id": toGet("/recording/stream-by-call-id"),
  "chat by call id": toGet("/chat/by-call-id"),
  "search for a call id": (id) => ({
    path: SEARCH_PATH,
    body: JSON.stringify({ call_id: id }),
  }),
};

/** The identifiers that are asked for: hidden ones, and ones that do not exist. */
const KINDS = {
  hidden: (random) => toId("one", random.below(HIDDEN.one.ids)),
  hiddenTen: (random) => toId("ten", random.below(HIDDEN.ten.ids)),
  none: (random) => toId("one", HIDDEN.one.ids + random.below(HIDDEN.one.ids)),
  noneAgain: (random) => toId("one", 2 * HIDDEN.one.ids + random.below(HIDDEN.one.ids)),
} satisfies Record<string, (random: Random) => string>;

type Kind = keyof typeof KINDS;
type Times = Readonly<Record<Kind, readonly number[]>>;

export async function benchRights(): Promise<readonly Goal[]> {
  await using folder = await createTemporaryFolder();
  const authorization = await createHiddenCalls(folder.path);
  await using service = await startServer("./service-process.ts", folder.path);
  const target = { port: service.port, authorization, statuses: [200, 404] };
  const measured = new Map<string, Times>();
  for (const [name, toAsked] of Object.entries(OPERATIONS))
    measured.set(name, await measureTimes(target, toAsked));
  printTable(
    "Time of an answer, median in us; what each is later than one for what does not exist",
    [
      ["", "none", "none again", "hidden", "hidden, ten legs", "quartiles of none"],
      ...[...measured].map(([name, times]) => toLine(name, times)),
    ],
  );
  return [
    {
      what: "median time: what is hidden against what does not exist, worst of six operations",
      measured: Math.max(...[...measured.values()].map(toRatio)),
      is: "at most",
      limit: MAX_RATIO,
    },
  ];
}

async function measureTimes(target: Target, toAsked: (id: string) => Asked): Promise<Times> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const random = createRandom(1);
  const times = { hidden: [], hiddenTen: [], none: [], noneAgain: [] } as Record<Kind, number[]>;
  for (let turn = 0; turn < WARM_UP + REPEATS; turn++)
    for (const kind of shuffle(Object.keys(KINDS) as Kind[], random)) {
      const asked = toAsked(KINDS[kind](random));
      const sentMs = performance.now();
      await ask(agent, target, asked);
      if (turn >= WARM_UP) times[kind].push((performance.now() - sentMs) * 1_000);
    }
  agent.destroy();
  return times;
}

// What comes after what must not be the same every time: an answer may still be cleaned up when the next request comes.
function shuffle<T>(values: readonly T[], random: Random): T[] {
  const drawn = values.map((value) => ({ value, at: random.next() }));
  return drawn.toSorted((a, b) => a.at - b.at).map(({ value }) => value);
}

// Less than chance makes of it over any network; none at all would take a pause that is the same for all.
const MAX_RATIO = 1.1;

function toRatio({ hidden, hiddenTen, none }: Times): number {
  return Math.max(toMedian(hidden), toMedian(hiddenTen)) / toMedian(none);
}

const toMedian = (times: readonly number[]) => toPercentile(times, 50);

function toLine(name: string, { none, ...others }: Times): Line {
  const later = (times: readonly number[]) =>
    `+${(toMedian(times) - toMedian(none)).toFixed(0)}`.replace("+-", "-");
  const quartiles = [25, 75].map((percent) => toPercentile(none, percent).toFixed(0)).join(" to ");
  const { noneAgain, hidden, hiddenTen } = others;
  return [name, toMedian(none).toFixed(0), ...[noneAgain, hidden, hiddenTen].map(later), quartiles];
}
