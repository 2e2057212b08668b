// Runs the check of one service: signs in, samples the archive, runs every check, builds the report.
import { routes } from "@call-media/api";
import { toFraction } from "./answers/coverage.ts";
import { findEmpty, findUnseen, listUnseen } from "./answers/unseen.ts";
import { ALWAYS_PROVED } from "./answers/every-answer.ts";
import { SAFE_METHODS } from "../ask.ts";
import { toBroken } from "../perform.ts";
import { routeOf, toAnswer, toBounds } from "./answer.ts";
import { type Sample, takeSample } from "./archive/sample.ts";
import { checks } from "./checks/all.ts";
import { OTHER_METHOD } from "./checks/refusals.ts";
import type { Check, Context } from "./checks/check.ts";
import { createSecrets, type Secrets } from "../http/secrets.ts";
import { Ended } from "../http/sender.ts";
import { createWire } from "../http/wire.ts";
import type { CheckOptions, Report, Target } from "./report.ts";
import { manifest, type RequirementId } from "./requirements/manifest.ts";
import { createRun, type Run } from "./run.ts";
import { keepSecrets, meetRestricted, signIn } from "./sign-in.ts";

/**
 * Checks over HTTP, with reading requests only, whether a service keeps the contract. Also observes its behaviour where the interface is
 * silent. Needs no information about the archive behind it.
 *
 * Never rejects because of the service: the report says if it cannot be reached, hangs or returns nonsense. Throws `TypeError` for a target
 * without credentials.
 */
export async function checkService(target: Target, options: CheckOptions = {}): Promise<Report> {
  if (target.credentials === undefined && target.apiKey === undefined)
    throw new TypeError("target needs credentials or apiKey");
  const startedMs = performance.now();
  const secrets = createSecrets();
  keepSecrets(secrets, target);
  const state = openRun({ target, options, secrets });
  const { reason, sample } = await perform(state.run, { target, options });
  const { against = "interface", coverageFloor = 0 } = options;
  const coverage = state.coverage.toCoverage();
  const fraction = toFraction(coverage);
  const lack =
    fraction < coverageFloor
      ? `${Math.floor(fraction * 100)}% of the document was seen; the floor is ${coverageFloor * 100}%`
      : undefined;
  const missing = routes
    .map(({ operationId }) => operationId)
    .filter((id) => coverage.operations.missing.includes(id) && state.run.isAsked(id));
  const unseen = listUnseen(missing, { sample, target });
  const found = state.toReport();
  const isOpen = sample === undefined || options.isEmptyOk === true;
  const empty = isOpen ? undefined : findEmpty(sample, state.run.isAsked);
  const at = `, at ${target.baseUrl}`;
  const told =
    reason ??
    lack ??
    findUnseen(unseen) ??
    (empty && `${empty}${at}. If that is as it should be, say --empty-ok`) ??
    (found.kept.length === 0 ? `nothing was looked at${at}` : undefined);
  // Without any response, no fault can be blamed on the service.
  const findings = state.isAnswered() ? found.findings : [];
  return secrets.hideIn({
    baseUrl: target.baseUrl,
    against,
    verdict: findings.length > 0 ? "drift" : told === undefined ? "kept" : "unable",
    ...(told !== undefined && { reason: told }),
    ...found,
    findings,
    observations: state.listObservations(),
    profile: state.profile.toProfile(),
    coverage,
    unseen,
    requests: state.wire.requests(),
    durationMs: Math.round(performance.now() - startedMs),
  });
}

interface Setting {
  readonly target: Target;
  readonly options: CheckOptions;
  readonly secrets: Secrets;
}

function openRun({ target, options, secrets }: Setting) {
  const wire = createWire({
    target,
    options,
    secrets,
    refuse: ({ operation }, method) =>
      SAFE_METHODS.has(method) || method === OTHER_METHOD || method === routeOf(operation).method
        ? undefined
        : `${method} may change something`,
    toBounds,
    toAnswer: (ask, raw, sent) => toAnswer(ask, raw, { sent, secrets }),
    onSilence: ({ ask: { operation }, sent, fault }) =>
      state.run.proveOf("answer.complete", { sent, operation }, fault),
  });
  const state = createRun(wire, options, secrets);
  return { ...state, wire };
}

interface Performed {
  /** Why the check could not finish; undefined if it did. */
  readonly reason?: string;
  /** What is known about the archive up to the point that the check reached. */
  readonly sample?: Sample;
}

async function perform(
  run: Run,
  { target, options }: Omit<Setting, "secrets">,
): Promise<Performed> {
  let sample: Sample | undefined;
  const broken: string[] = [];
  try {
    checkAddress(target.baseUrl);
    const signedIn = await signIn(run, target);
    const restricted = await meetRestricted(run, target);
    sample = await takeSample(run, options.hints ?? {});
    const context = { run, sample, target, signedIn, restricted };
    for (const check of checks) {
      const why = isWanted(check, options) ? await performCheck(check, context) : undefined;
      if (why !== undefined) broken.push(`${check.about} ${why}`);
    }
    return { sample, ...(broken.length > 0 && { reason: broken.join("; ") }) };
  } catch (error) {
    const reason = error instanceof Ended ? error.message : toBroken(error);
    return { reason, ...(sample && { sample }) };
  }
}

function checkAddress(baseUrl: string): void {
  const isHttp = URL.canParse(baseUrl) && /^https?:$/.test(new URL(baseUrl).protocol);
  if (!isHttp) throw new Ended(`${JSON.stringify(baseUrl)} is no HTTP address`, true);
}

function isWanted({ proves }: Check, { only }: CheckOptions): boolean {
  if (proves === undefined) return true;
  const operations = proves.flatMap((id) => manifest[id].operations);
  return only === undefined || operations.some((operation) => only.includes(operation));
}

/**
 * A request without a response, or an error of the kit itself, ends its check only. The next check may succeed.
 *
 * @returns the error of the kit.
 */
async function performCheck(check: Check, context: Context): Promise<string | undefined> {
  const { proves = [] } = check;
  const cited = new Set<RequirementId>([...proves, ...ALWAYS_PROVED]);
  const { prove } = context.run;
  const run: Run = {
    ...context.run,
    prove: (id, answer, fault) => {
      if (!cited.has(id)) throw new Error(`the check of ${check.about} does not cite ${id}`);
      prove(id, answer, fault);
    },
  };
  try {
    await check.run({ ...context, run });
    return undefined;
  } catch (error) {
    if (error instanceof Ended && error.isFinal) throw error;
    if (error instanceof Ended) return undefined;
    for (const id of proves) run.skip(id, toBroken(error));
    return toBroken(error);
  }
}
