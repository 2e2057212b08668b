// One check of one service that drifts, and many of them, two at a time.
import { checkService, type Report, type Yardstick } from "@call-media/conformance";
import type { Demo } from "./demo.ts";
import type { Mutant } from "./mutants/mutant.ts";
import { type Drift, startProxy } from "./proxy.ts";
import type { Variant } from "./variants/variant.ts";

export interface Outcome<Subject> {
  readonly subject: Subject;
  /**
   * `kept` and `drift` are the kit's verdicts, `unable` is its way of saying that it could not check; `unreached`: not one
   * answer of the run was changed, so that nothing was proved.
   */
  readonly verdict: Report["verdict"] | "unreached";
  /** The yardstick under which a mutant that should be caught was not. */
  readonly missedAgainst?: Yardstick;
  /** The first findings, or why there is no verdict. */
  readonly words: readonly string[];
  readonly seconds: number;
  readonly requests: number;
}

const MAX_WORDS = 4;
/** While one check waits for its own requests the other goes on. */
const AT_A_TIME = 2;

interface Run {
  readonly report: Report;
  readonly changed: number;
}

async function check(demo: Demo, drift: Drift, against: Yardstick): Promise<Run> {
  const { apiKey: adminKey, expiredToken } = demo.access;
  await using service = await demo.startService();
  await using proxy = await startProxy({
    ...drift,
    service: service.baseUrl,
    adminKey,
    expiredToken,
  });
  const report = await checkService({ ...demo.access, baseUrl: proxy.baseUrl }, { against });
  if (proxy.faults.length > 0)
    throw new Error("the drift itself failed", { cause: proxy.faults[0] });
  return { report, changed: proxy.changed() };
}

/** A mutant against the interface has to be caught against both yardsticks. */
export async function runMutant(demo: Demo, subject: Mutant): Promise<Outcome<Mutant>> {
  const yardsticks: readonly Yardstick[] =
    subject.contract === "interface" ? ["interface", "decisions"] : ["decisions"];
  const started = performance.now();
  let outcome: Omit<Outcome<Mutant>, "subject" | "seconds"> | undefined;
  for (const against of yardsticks) {
    outcome = toOutcome(await check(demo, subject, against));
    if (outcome.verdict === "drift") continue;
    outcome = { ...outcome, missedAgainst: against };
    break;
  }
  if (outcome === undefined) throw new Error(`${subject.id} was not checked`);
  return { ...outcome, subject, seconds: (performance.now() - started) / 1000 };
}

/** A lawful variant is held against the interface alone. */
export async function runVariant(demo: Demo, subject: Variant): Promise<Outcome<Variant>> {
  const run = await check(demo, subject, "interface");
  return { ...toOutcome(run), subject, seconds: run.report.durationMs / 1000 };
}

function toOutcome({ report, changed }: Run): Omit<Outcome<never>, "subject" | "seconds"> {
  const { verdict, reason, findings, requests } = report;
  const found = findings.map(({ requirement, operation, fault }) =>
    [requirement, operation, fault].filter(Boolean).join(": "),
  );
  const words = [...(reason === undefined ? [] : [reason]), ...found].slice(0, MAX_WORDS);
  return { verdict: changed === 0 ? "unreached" : verdict, words, requests };
}

/** Runs all, two at a time; the outcomes come in the order of `subjects`. */
export async function runAll<Subject, Result>(
  subjects: readonly Subject[],
  run: (subject: Subject) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const queue = subjects.entries();
  const work = async () => {
    for (const [index, subject] of queue) results[index] = await run(subject);
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, work));
  return results;
}
