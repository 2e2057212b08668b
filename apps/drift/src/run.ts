// One check of one service that drifts, and many of them, two at a time.
import { type CheckOptions, checkService, type Report } from "@call-media/conformance";
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
  /** The first findings, or why there is no verdict. */
  readonly words: readonly string[];
  readonly seconds: number;
}

const MAX_WORDS = 4;
/** While one check waits for its own requests the other goes on. */
const AT_A_TIME = 2;

interface Run {
  readonly report: Report;
  readonly changed: number;
}

async function check(demo: Demo, drift: Drift, options: CheckOptions): Promise<Run> {
  const { apiKey: adminKey, expiredToken } = demo.access;
  await using service = await demo.startService();
  await using proxy = await startProxy({
    ...drift,
    service: service.baseUrl,
    adminKey,
    expiredToken,
  });
  const report = await checkService({ ...demo.access, baseUrl: proxy.baseUrl }, options);
  if (proxy.faults.length > 0)
    throw new Error("the drift itself failed", { cause: proxy.faults[0] });
  return { report, changed: proxy.changed() };
}

/**
 * A mutant is held against the yardstick it goes against; what the interface states the decisions hold to as well. The
 * checks of its own operations come first, since whatever they find the whole check finds too, and later.
 */
export async function runMutant(demo: Demo, subject: Mutant): Promise<Outcome<Mutant>> {
  const against = subject.contract === "interface" ? "interface" : "decisions";
  if (subject.operation !== "every") {
    const only = [subject.operation].flat();
    const first = toOutcome(await check(demo, subject, { against, only }));
    if (first.verdict === "drift") return { ...first, subject };
  }
  return { ...toOutcome(await check(demo, subject, { against })), subject };
}

/** A lawful variant is held against the interface alone. */
export async function runVariant(demo: Demo, subject: Variant): Promise<Outcome<Variant>> {
  return { ...toOutcome(await check(demo, subject, { against: "interface" })), subject };
}

function toOutcome({ report, changed }: Run): Omit<Outcome<never>, "subject"> {
  const { verdict, reason, findings, durationMs } = report;
  const found = findings.map(({ requirement, operation, fault }) =>
    [requirement, operation, fault].filter(Boolean).join(": "),
  );
  const words = [...(reason === undefined ? [] : [reason]), ...found].slice(0, MAX_WORDS);
  return {
    verdict: changed === 0 ? "unreached" : verdict,
    words,
    seconds: durationMs / 1000,
  };
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
