// One check of one service that drifts, and many of them, two at a time.
import { inspect } from "node:util";
import {
  type CheckOptions,
  checkService,
  type Report,
  type Yardstick,
} from "@call-media/conformance";
import type { Demo } from "./demo.ts";
import { startDrifting } from "./drifting.ts";
import type { Mutant } from "./mutants/mutant.ts";
import type { Drift } from "./proxy.ts";
import type { Variant } from "./variants/variant.ts";

export interface Outcome {
  readonly subject: Mutant | Variant;
  readonly against: Yardstick;
  /**
   * `kept` and `drift` are the kit's verdicts, `unable` is its way of saying that it could not check; `unreached`: not one
   * answer of the run was changed, so that nothing was proved.
   */
  readonly verdict: Report["verdict"] | "unreached";
  /** The first findings, or the reason for a missing verdict. */
  readonly words: readonly string[];
}

const MAX_WORDS = 4;
/** While one check waits for its own requests the other goes on. */
const AT_A_TIME = 2;

interface Run {
  readonly report: Report;
  readonly changed: number;
}

async function check(demo: Demo, drift: Drift, options: CheckOptions): Promise<Run> {
  await using service = await startDrifting(demo, drift);
  const report = await checkService({ ...demo.access, baseUrl: service.baseUrl }, options);
  const [fault] = service.faults;
  if (fault !== undefined) throw new Error(`the drift itself failed: ${inspect(fault)}`);
  return { report, changed: service.changed() };
}

/**
 * The checks of a mutant's own operations come first, since whatever they find the whole check finds too, and later. A
 * lawful variant gets the whole check.
 */
export async function runOne(
  demo: Demo,
  subject: Mutant | Variant,
  against: Yardstick,
): Promise<Outcome> {
  if ("contract" in subject && subject.operation !== "every") {
    const only = [subject.operation].flat();
    const first = toVerdict(await check(demo, subject, { against, only }));
    if (first.verdict === "drift") return { ...first, subject, against };
  }
  return { ...toVerdict(await check(demo, subject, { against })), subject, against };
}

function toVerdict({ report, changed }: Run): Pick<Outcome, "verdict" | "words"> {
  const { verdict, reason, findings } = report;
  const found = findings.map(({ requirement, operation, fault }) =>
    [requirement, operation, fault].filter(Boolean).join(": "),
  );
  const words = [...(reason === undefined ? [] : [reason]), ...found].slice(0, MAX_WORDS);
  return { verdict: changed === 0 ? "unreached" : verdict, words };
}

/**
 * Runs all, two at a time; the results come in the order of `subjects`. `open` gives what does the work of one of the two,
 * and puts what has to be closed in the end on the stack.
 */
export async function runAll<Subject, Result>(
  subjects: readonly Subject[],
  open: (stack: AsyncDisposableStack) => Promise<(subject: Subject) => Promise<Result>>,
): Promise<Result[]> {
  const results: Result[] = [];
  const queue = subjects.entries();
  const work = async () => {
    await using stack = new AsyncDisposableStack();
    const run = await open(stack);
    for (const [index, subject] of queue) results[index] = await run(subject);
  };
  await Promise.all(Array.from({ length: Math.min(AT_A_TIME, subjects.length) }, work));
  return results;
}
