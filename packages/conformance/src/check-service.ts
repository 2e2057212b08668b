// Runs the check of one service: sign in, get to know the archive, run every check, sum up.
import { bodyRequirements } from "./answers/body.ts";
import { toFraction } from "./answers/coverage.ts";
import { headRequirements } from "./answers/headers.ts";
import { takeSample } from "./archive/sample.ts";
import { checks } from "./checks/all.ts";
import type { Check, Context } from "./checks/check.ts";
import { createSecrets, type Secrets } from "./http/secrets.ts";
import { createWire, Ended } from "./http/wire.ts";
import type { CheckOptions, Report, Target, Yardstick } from "./report.ts";
import {
  isStated,
  listRequirements,
  manifest,
  type RequirementId,
} from "./requirements/manifest.ts";
import { createRun, type Run } from "./run.ts";
import { keepSecrets, meetRestricted, signIn } from "./sign-in.ts";

/** What is proved of every answer, whichever check asked for it. */
export const ALWAYS_PROVED: readonly RequirementId[] = [
  ...bodyRequirements,
  ...headRequirements,
  "base.https",
  "answer.complete",
  "answer.success",
  "secrets.kept",
];

/**
 * Checks over HTTP, reading alone, whether a service keeps the contract, and observes what it does
 * where the interface says nothing. Needs to be told nothing of the archive behind it.
 *
 * Never rejects for what a service does: a service that cannot be reached, hangs or answers
 * nonsense is told of in the report. Throws `TypeError` for a target without credentials.
 */
export async function checkService(target: Target, options: CheckOptions = {}): Promise<Report> {
  if (target.credentials === undefined && target.apiKey === undefined)
    throw new TypeError("target needs credentials or apiKey");
  const startedMs = performance.now();
  const secrets = createSecrets();
  keepSecrets(secrets, target);
  const state = openRun({ target, options, secrets });
  const reason = await perform(state.run, { target, options, secrets });
  const { against = "interface", coverageFloor = 0 } = options;
  const coverage = state.coverage.toCoverage();
  const fraction = toFraction(coverage);
  const lack =
    fraction < coverageFloor
      ? `${Math.floor(fraction * 100)}% of the document was seen; the floor is ${coverageFloor * 100}%`
      : undefined;
  const told = reason ?? lack;
  // Where nobody answers there is no service to find fault with.
  const findings = state.isAnswered() ? listFindings(state) : [];
  return {
    baseUrl: target.baseUrl,
    against,
    verdict: findings.length > 0 ? "drift" : told === undefined ? "kept" : "unable",
    ...(told !== undefined && { reason: secrets.hide(told) }),
    findings,
    observations: [...state.observations.values()].toSorted((a, b) =>
      a.decision.localeCompare(b.decision),
    ),
    profile: state.profile.toProfile(),
    coverage,
    requests: state.wire.requests(),
    durationMs: Math.round(performance.now() - startedMs),
    skipped: listSkipped(state, options),
    kept: listKept(state, against),
  };
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
    onSilence: (silence) => state.onSilence(silence),
  });
  const state = createRun(wire, options, secrets);
  return { ...state, wire };
}

/** Returns why the check could not be ended, if so. */
async function perform(
  run: Run,
  { target, options, secrets }: Setting,
): Promise<string | undefined> {
  try {
    checkAddress(target.baseUrl);
    const signedIn = await signIn(run, target);
    const restricted = await meetRestricted(run, target);
    const sample = await takeSample(run, options.hints ?? {});
    const context = { run, sample, target, signedIn, restricted };
    for (const check of checks) if (isWanted(check, options)) await performCheck(check, context);
    return undefined;
  } catch (error) {
    if (error instanceof Ended) return secrets.hide(error.message);
    throw error;
  }
}

function checkAddress(baseUrl: string): void {
  const isHttp = URL.canParse(baseUrl) && /^https?:$/.test(new URL(baseUrl).protocol);
  if (!isHttp) throw new Ended(`${JSON.stringify(baseUrl)} is no HTTP address`, true);
}

function isWanted({ proves }: Check, { only }: CheckOptions): boolean {
  const operations = proves.flatMap((id) => manifest[id].operations);
  return only === undefined || operations.some((operation) => only.includes(operation));
}

/** One request without an answer ends its check; the next one may fare better. */
async function performCheck(check: Check, context: Context): Promise<void> {
  const cited = new Set<RequirementId>([...check.proves, ...ALWAYS_PROVED]);
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
  } catch (error) {
    if (!(error instanceof Ended) || error.isFinal) throw error;
  }
}

/** In the order of the manifest and its operations: requests run side by side, and a report is compared with the one before. */
function listFindings({ findings }: ReturnType<typeof openRun>): Report["findings"] {
  const keys = Object.entries(manifest).flatMap(([id, { operations }]) =>
    operations.map((operation) => `${id} ${operation}`),
  );
  const places = new Map(keys.map((key, place) => [key, place]));
  const toPlace = (key: string) => places.get(key) ?? keys.length;
  return [...findings]
    .toSorted(([one], [other]) => toPlace(one) - toPlace(other))
    .map(([, finding]) => finding);
}

function listKept(
  { proved, findings }: ReturnType<typeof openRun>,
  against: Yardstick,
): Report["kept"] {
  const failed = new Set([...findings.values()].map(({ requirement }) => requirement));
  return [...proved]
    .filter((id) => against === "decisions" || isStated(manifest[id]))
    .filter((id) => !failed.has(id))
    .toSorted();
}

/** Of the requirements of this yardstick, those of the operations that were asked for. */
function listSkipped(
  { proved, skipped }: ReturnType<typeof openRun>,
  { against = "interface", only }: CheckOptions,
): Report["skipped"] {
  const why = new Map<string, string>(skipped);
  const seen = new Set<string>(proved);
  return listRequirements(against)
    .filter(({ id }) => !seen.has(id))
    .filter(({ operations }) => only === undefined || operations.some((one) => only.includes(one)))
    .map(({ id }) => ({
      requirement: id,
      why: why.get(id) ?? "nothing was found to check it on",
    }));
}
