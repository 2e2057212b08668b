// Checks one service that drifts or that differs in a conforming way.
import { inspect } from "node:util";
import {
  type ApiReport,
  type CheckOptions,
  checkService,
  listRequirements,
} from "@call-media/conformance";
import type { Demo } from "./demo.ts";
import type { Mutant } from "./mutants/mutant.ts";
import { type Drift, type Proxy, startProxy } from "./proxy.ts";
import type { Variant } from "./variants/variant.ts";

export interface Outcome {
  readonly subject: Mutant | Variant;
  /**
   * `kept` and `drift` are the kit's verdicts; `unable` means that it could not check. `unreached`: the run changed no response,
   * so nothing was proved.
   */
  readonly verdict: ApiReport["verdict"] | "unreached";
  /** True if the interface itself states one of the requirements of the findings. */
  readonly isStated: boolean;
  /** The first findings, or the reason for a missing verdict. */
  readonly words: readonly string[];
}

const MAX_WORDS = 4;
const STATED: ReadonlySet<string> = new Set(listRequirements("interface").map(({ id }) => id));

type Judged = Omit<Outcome, "subject">;

/**
 * A mutant is compared with the decisions. The checks of its own operations run first, because the full check would find the
 * same later. A conforming variant gets the full check against the interface.
 */
export async function runOne(demo: Demo, subject: Mutant | Variant): Promise<Outcome> {
  if (!("contract" in subject))
    return { subject, ...(await check(demo, subject, { against: "interface" })) };
  const against = "decisions";
  if (subject.operation !== "every") {
    const first = await check(demo, subject, { against, only: [subject.operation].flat() });
    if (isFound(subject, first)) return { subject, ...first };
  }
  return { subject, ...(await check(demo, subject, { against })) };
}

/** A mutant of the interface must be found through a statement of the interface. */
export function isFound({ contract }: Mutant, { verdict, isStated }: Judged): boolean {
  return verdict === "drift" && (contract === "decision" || isStated);
}

/** Stops the requests to a mutant once it is found. */
async function check(demo: Demo, drift: Mutant | Variant, options: CheckOptions): Promise<Judged> {
  await using service = await startDrifting(demo, drift);
  const found = new AbortController();
  const onFinding: CheckOptions["onFinding"] = ({ requirement }) => {
    const judged = { verdict: "drift", isStated: STATED.has(requirement), words: [] } as const;
    if ("contract" in drift && isFound(drift, judged) && service.changed() > 0) found.abort();
  };
  const target = { ...demo.access, baseUrl: service.baseUrl };
  const report = await checkService(target, { ...options, onFinding, signal: found.signal });
  const [fault] = service.faults;
  if (fault !== undefined) throw new Error(`the drift itself failed: ${inspect(fault)}`);
  const { verdict, reason, findings } = report;
  const told = findings.map(({ requirement, operation, fault: what }) =>
    [requirement, operation, what].filter(Boolean).join(": "),
  );
  return {
    verdict: service.changed() === 0 ? "unreached" : verdict,
    isStated: findings.some(({ requirement }) => STATED.has(requirement)),
    words: [...(reason === undefined || found.signal.aborted ? [] : [reason]), ...told].slice(
      0,
      MAX_WORDS,
    ),
  };
}

/** Starts a separate service, without state from other checks. */
async function startDrifting(demo: Demo, drift: Drift): Promise<Proxy> {
  await using stack = new AsyncDisposableStack();
  const { apiKey: adminKey, expiredToken } = demo.access;
  const service = stack.use(await demo.startService());
  const options = { ...drift, service: service.baseUrl, adminKey, expiredToken };
  const proxy = stack.use(await startProxy(options));
  const owned = stack.move();
  return {
    baseUrl: proxy.baseUrl,
    changed: proxy.changed,
    faults: proxy.faults,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}
