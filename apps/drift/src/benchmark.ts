// The benchmark: the kit by both yardsticks, and other tools, on the same mutants and variants.
import type { Demo } from "./demo.ts";
import type { Mutant } from "./mutants/mutant.ts";
import type { Peer } from "./peers/peer.ts";
import { createProgress } from "./progress.ts";
import { type Column, isRight, isSeen, toFaults, toTables } from "./report.ts";
import { type Outcome, runAll, runOne } from "./run.ts";
import type { Variant } from "./variants/variant.ts";

export interface Chosen {
  readonly mutants: readonly Mutant[];
  readonly variants: readonly Variant[];
  readonly peers: readonly Peer[];
}

export interface Result {
  readonly tables: string;
  /** A paragraph for each mutant that the kit missed and each variant that it took for drift. */
  readonly faults: readonly string[];
}

type Subject = Mutant | Variant;

/** Every mutant is held against the decisions; those that go against the interface, and the variants, against it too. */
export async function runBenchmark(demo: Demo, chosen: Chosen): Promise<Result> {
  const { mutants, variants } = chosen;
  const stated = mutants.filter(({ contract }) => contract === "interface");
  const kit = [
    await runKit(demo, "decisions", mutants),
    await runKit(demo, "interface", [...stated, ...variants]),
  ];
  const columns = kit.map(({ column }) => column);
  for (const peer of chosen.peers) columns.push(await runPeer(demo, peer, chosen));
  return {
    tables: toTables(chosen, columns),
    faults: toFaults(kit.flatMap(({ outcomes }) => outcomes)),
  };
}

interface KitRun {
  readonly column: Column;
  readonly outcomes: readonly Outcome[];
}

async function runKit(
  demo: Demo,
  against: Outcome["against"],
  subjects: readonly Subject[],
): Promise<KitRun> {
  const name = `kit: ${against}`;
  using progress = createProgress(process.stderr, { title: name, total: subjects.length });
  const started = performance.now();
  const outcomes = await runAll(subjects, async () => async (subject: Subject) => {
    const outcome = await runOne(demo, subject, against);
    progress.step(`${isRight(outcome) ? "ok  " : "FAIL"} ${subject.id}`);
    return outcome;
  });
  const seen = new Map(outcomes.map((outcome) => [outcome.subject.id, isSeen(outcome)]));
  return { column: { name, seen, seconds: (performance.now() - started) / 1000 }, outcomes };
}

async function runPeer(demo: Demo, peer: Peer, { mutants, variants }: Chosen): Promise<Column> {
  const subjects = [...mutants, ...variants];
  const { name } = peer;
  using progress = createProgress(process.stderr, { title: name, total: subjects.length });
  const started = performance.now();
  const verdicts = await runAll(subjects, async (stack) => {
    const { judge } = stack.use(await peer.open(demo));
    return async (subject: Subject): Promise<[string, boolean]> => {
      const isSeenByPeer = await judge(subject);
      progress.step(`${isSeenByPeer ? "drift" : "-    "} ${subject.id}`);
      return [subject.id, isSeenByPeer];
    };
  });
  return { name, seen: new Map(verdicts), seconds: (performance.now() - started) / 1000 };
}
