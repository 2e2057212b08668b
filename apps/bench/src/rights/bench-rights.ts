// Whether a clock can tell what a user may not see from what does not exist: requests of both in turn over one connection.
// Two kinds of what does not exist are compared as well: what chance makes of nothing.
import { Agent } from "node:http";
import { createTemporaryFolder } from "../archive.ts";
import type { Goal } from "../goals.ts";
import { type Asked, ask, type Target } from "../load/load.ts";
import { toMedian, toPercentile } from "../measure.ts";
import { createRandom, type Random } from "../random.ts";
import { SEARCH_PATH } from "../search/queries.ts";
import { startServer } from "../serving/server-process.ts";
import { type Line, printTable } from "../table.ts";
import { type Difference, toDifference, toFurthest, toText } from "./difference.ts";
import { createHiddenCalls, HIDDEN, HIDDEN_CITIES, toId } from "./hidden-calls.ts";

const WARM_UP = 200;
const REPEATS = 4_000;

const toGet = (path: string) => (id: string) => ({ path: `${path}/${id}` });

const LOOK_UPS: Readonly<Record<string, (id: string) => Asked>> = {
  "metadata by call id": toGet("/metadata/by-call-id"),
  "metadata by reference": toGet("/metadata/by-reference"),
  "recording by call id": toGet("/recording/by-call-id"),
  "stream by call id": toGet("/recording/stream-by-call-id"),
  "chat by call id": toGet("/chat/by-call-id"),
};

const toSearch = (field: string) => (value: string) => ({
  path: SEARCH_PATH,
  body: JSON.stringify({ [field]: value }),
});

/** What is asked for: something hidden, something of more hidden calls, and twice what does not exist. */
type Kind = "hidden" | "hiddenMore" | "none" | "noneAgain";
type Kinds = Readonly<Record<Kind, (random: Random) => string>>;

// As many of each kind, and from all over the index: of fewer, each would come again sooner, and what was read of it be kept.
const APART = Math.floor(HIDDEN.one.ids / HIDDEN.ten.ids);
const drawOne = (random: Random) => APART * random.below(HIDDEN.ten.ids);

const IDENTIFIERS: Kinds = {
  hidden: (random) => toId("one", drawOne(random), "first"),
  hiddenMore: (random) => toId("ten", random.below(HIDDEN.ten.ids), "first"),
  none: (random) => toId("one", drawOne(random), "second"),
  noneAgain: (random) => toId("one", drawOne(random), "third"),
};

const drawCity = (random: Random) => random.below(HIDDEN_CITIES.many);

const CITIES: Kinds = {
  hidden: (random) => toId("some", drawCity(random), "first"),
  hiddenMore: (random) => toId("many", drawCity(random), "first"),
  none: (random) => toId("some", drawCity(random), "second"),
  noneAgain: (random) => toId("some", drawCity(random), "third"),
};

/** In microseconds, in the order of the turns. */
type Times = Readonly<Record<Kind, readonly number[]>>;

export async function benchRights(): Promise<readonly Goal[]> {
  await using folder = await createTemporaryFolder();
  const authorization = await createHiddenCalls(folder.path);
  await using service = await startServer("./service-process.ts", folder.path);
  const target = { port: service.port, authorization, statuses: [200, 404] };
  const lookUps: Compared[] = [];
  for (const [name, toAsked] of Object.entries(LOOK_UPS))
    lookUps.push(compare(name, await measureTimes(target, IDENTIFIERS, toAsked)));
  const ofCallId = await measureTimes(target, IDENTIFIERS, toSearch("call_id"));
  const ofCity = await measureTimes(target, CITIES, toSearch("city"));
  const searches = {
    callId: compare("search for a call id", ofCallId),
    city: compare("search for a city", ofCity),
  };
  printTable(
    "Time of an answer, median in us; how much later than for what does not exist another is",
    [
      ["", "none", "quartiles", "none again", "hidden: one, 180", "ten, 3,000 calls"],
      ...[...lookUps, searches.callId, searches.city].map(({ line }) => line),
    ],
  );
  const against = "what is hidden against what does not exist";
  return [
    toGoal(`median time: ${against}, worst of five look-ups`, lookUps),
    toGoal(`median time: search for a call_id, ${against}`, [searches.callId]),
    toGoal("median time: search for what thousands of hidden calls have, against what none has", [
      searches.city,
    ]),
  ];
}

async function measureTimes(
  target: Target,
  kinds: Kinds,
  toAsked: (id: string) => Asked,
): Promise<Times> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const random = createRandom(1);
  const times = { hidden: [], hiddenMore: [], none: [], noneAgain: [] } as Record<Kind, number[]>;
  for (let turn = 0; turn < WARM_UP + REPEATS; turn++)
    for (const kind of shuffle(Object.keys(kinds) as Kind[], random)) {
      const asked = toAsked(kinds[kind](random));
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

interface Compared {
  readonly hidden: readonly Difference[];
  readonly control: Difference;
  readonly line: Line;
}

function compare(name: string, { none, noneAgain, hidden, hiddenMore }: Times): Compared {
  const control = toDifference(none, noneAgain);
  const differences = [toDifference(none, hidden), toDifference(none, hiddenMore)];
  const quartiles = [25, 75].map((percent) => toPercentile(none, percent).toFixed(0)).join(" to ");
  const cells = [control, ...differences].map(toText);
  return {
    hidden: differences,
    control,
    line: [name, toMedian(none).toFixed(0), quartiles, ...cells],
  };
}

// Less than this is seen on an idle machine alone, without a network between; more requests would make any difference certain.
const NEGLIGIBLE_US = 1;

function toGoal(what: string, compared: readonly Compared[]): Goal {
  const furthest = toFurthest(compared.flatMap(({ hidden }) => hidden));
  const control = toFurthest(compared.map((one) => one.control));
  return {
    what,
    measured: Math.abs(furthest.us),
    is: "at most",
    limit: Math.max(furthest.withinUs, NEGLIGIBLE_US),
    inWords: {
      goal: `chance or ${NEGLIGIBLE_US} us`,
      measured: `${toText(furthest)} us; control ${toText(control)}`,
    },
  };
}
