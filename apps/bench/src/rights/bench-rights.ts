// Whether a clock can tell what a user may not see from what does not exist, alone or beside what is shown: requests of both in
// turn over one connection. Two that are alike are compared as well: what chance makes of nothing.
import { Agent } from "node:http";
import { createTemporaryFolder } from "../archive.ts";
import type { Goal } from "../goals.ts";
import { type Asked, ask, type Target } from "../load/load.ts";
import { toMedian, toPercentile } from "../measure.ts";
import { createRandom, type Random } from "../random.ts";
import { SEARCH_PATH } from "../search/queries.ts";
import { startServer } from "../serving/server-process.ts";
import { type Line, printTable } from "../table.ts";
import { type Difference, type Sample, toDifference, toFurthest, toText } from "./difference.ts";
import { createHiddenCalls } from "./hidden-calls.ts";
import { CITIES, CONTROL, FEW_RECORDS, type Pairs, RECORDS, RECORDS_BESIDE } from "./pairs.ts";

const WARM_UP = 200;
const REPEATS = 4_000;

const toGet = (path: string) => (id: string) => ({ path: `${path}/${id}` });

interface LookUp {
  readonly toAsked: (id: string) => Asked;
  /** Not of a chat, which is that of hidden calls as well when one is shown. */
  readonly beside?: Pairs;
}

const LOOK_UPS: Readonly<Record<string, LookUp>> = {
  "metadata by call id": { toAsked: toGet("/metadata/by-call-id"), beside: RECORDS_BESIDE },
  "metadata by reference": { toAsked: toGet("/metadata/by-reference"), beside: RECORDS_BESIDE },
  "recording by call id": { toAsked: toGet("/recording/by-call-id"), beside: RECORDS_BESIDE },
  "stream by call id": { toAsked: toGet("/recording/stream-by-call-id"), beside: RECORDS_BESIDE },
  "chat by call id": { toAsked: toGet("/chat/by-call-id") },
};

const toSearch = (field: string) => (value: string) => ({
  path: SEARCH_PATH,
  body: JSON.stringify({ [field]: value }),
});

export async function benchRights(): Promise<readonly Goal[]> {
  await using folder = await createTemporaryFolder();
  const authorization = await createHiddenCalls(folder.path);
  await using service = await startServer("./service-process.ts", folder.path);
  const target = { port: service.port, authorization, statuses: [200, 404] };
  const [lookUps, shown]: [Compared[], Compared[]] = [[], []];
  for (const [name, { toAsked, beside }] of Object.entries(LOOK_UPS)) {
    lookUps.push(compare(name, await measureTimes(target, RECORDS, toAsked)));
    if (beside) shown.push(compare(name, await measureTimes(target, beside, toAsked)));
  }
  const callId = compare(
    "search for a call id",
    await measureTimes(target, FEW_RECORDS, toSearch("call_id")),
  );
  const city = compare("search for a city", await measureTimes(target, CITIES, toSearch("city")));
  print("what does not exist, look-ups; hidden: so many records of an identifier", lookUps);
  print("a call that is shown alone, look-ups; hidden: so many beside it", shown);
  print("what does not exist, searches; hidden: so many records of a call id", [callId]);
  print("what does not exist, searches; hidden: 1,200 calls, 20,000", [city]);
  const against = "what is hidden against what does not exist";
  return [
    toGoal(`median time: ${against}, worst of five look-ups`, lookUps),
    toGoal(
      "median time: a call with hidden ones beside it against one alone, worst of four",
      shown,
    ),
    toGoal(`median time: search for a call_id, ${against}`, [callId]),
    toGoal("median time: search for what thousands of hidden calls have, against what none has", [
      city,
    ]),
  ];
}

/** In the order of the turns. */
interface Times {
  readonly none: Sample[];
  readonly other: Sample[];
}

/** Of each pair. */
async function measureTimes(
  target: Target,
  pairs: Pairs,
  toAsked: (id: string) => Asked,
): Promise<ReadonlyMap<string, Times>> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const random = createRandom(1);
  const measured = new Map<string, Times>();
  const kinds = Object.entries(pairs).flatMap(([name, { none, other }]) => {
    const times: Times = { none: [], other: [] };
    measured.set(name, times);
    return [
      { draw: none, times: times.none },
      { draw: other, times: times.other },
    ];
  });
  for (let turn = 0; turn < WARM_UP + REPEATS; turn++)
    for (const { draw, times } of shuffle(kinds, random)) {
      const id = draw(random);
      const asked = toAsked(id);
      const sentMs = performance.now();
      await ask(agent, target, asked);
      if (turn >= WARM_UP) times.push({ id, us: (performance.now() - sentMs) * 1_000 });
    }
  agent.destroy();
  return measured;
}

// What comes after what must not be the same every time: an answer may still be cleaned up when the next request comes.
function shuffle<T>(values: readonly T[], random: Random): T[] {
  const drawn = values.map((value) => ({ value, at: random.next() }));
  return drawn.toSorted((a, b) => a.at - b.at).map(({ value }) => value);
}

interface Compared {
  readonly name: string;
  /** Of what does not exist, or is shown alone. */
  readonly none: readonly number[];
  readonly differences: ReadonlyMap<string, Difference>;
}

function compare(name: string, measured: ReadonlyMap<string, Times>): Compared {
  const differences = [...measured].map(
    ([pair, { none, other }]) => [pair, toDifference(none, other)] as const,
  );
  return {
    name,
    none: (measured.get(CONTROL)?.none ?? []).map(({ us }) => us),
    differences: new Map(differences),
  };
}

function print(what: string, compared: readonly Compared[]): void {
  const pairs = [...new Set(compared.flatMap(({ differences }) => [...differences.keys()]))];
  const toLine = ({ name, none, differences }: Compared): Line => {
    const quartiles = [25, 75].map((percent) => toPercentile(none, percent).toFixed(0));
    const texts = pairs.map((pair) => differences.get(pair)).map((one) => (one ? toText(one) : ""));
    return [name, toMedian(none).toFixed(0), quartiles.join(" to "), ...texts];
  };
  printTable(`Time of an answer, median in us; how much later another is than for ${what}`, [
    ["", "none", "quartiles", ...pairs],
    ...compared.map(toLine),
  ]);
}

// Less than this is seen on an idle machine alone, without a network between; more requests would make any difference certain.
const NEGLIGIBLE_US = 1;

function toGoal(what: string, compared: readonly Compared[]): Goal {
  const all = compared.flatMap(({ differences }) => [...differences]);
  const control = toFurthest(all.filter(([pair]) => pair === CONTROL).map(([, one]) => one));
  const hidden = all.filter(([pair]) => pair !== CONTROL);
  const furthest = toFurthest(hidden.map(([, one]) => one));
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
