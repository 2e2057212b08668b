// The results of a run: which requirements hold, which do not and on what evidence, and which could not be checked.
import type { OperationId } from "@call-media/api";
import { type Fault, toFingerprint, toSentence } from "../fingerprint.ts";
import type { Answer } from "./answer.ts";
import { toCurl } from "../http/curl.ts";
import type { Secrets } from "../http/secrets.ts";
import type { CheckOptions, Finding, Report } from "./report.ts";
import {
  isStated,
  listRequirements,
  manifest,
  type RequirementId,
  toSourceText,
} from "./requirements/manifest.ts";

/** The evidence for or against a requirement. */
export interface Shown {
  readonly sent: Answer["sent"];
  readonly came?: Answer["came"];
  readonly operation?: OperationId;
}

/** How checks report their findings. */
export interface Findings {
  /** Records whether a requirement holds in this response: undefined, or what is wrong. */
  readonly prove: (id: RequirementId, answer: Answer, fault: Fault | undefined) => void;
  /** Records a requirement that no single request shows. */
  readonly proveOf: (id: RequirementId, shown: Shown, fault: Fault | undefined) => void;
  /** Records why a requirement cannot be checked here. */
  readonly skip: (id: RequirementId, why: string) => void;
  readonly isAsked: (operation: OperationId) => boolean;
}

export interface KeptFindings extends Findings {
  readonly toReport: () => Pick<Report, "findings" | "kept" | "skipped">;
}

export function createFindings(options: CheckOptions, secrets: Secrets): KeptFindings {
  const { against = "interface", only } = options;
  /** Each distinct fault once, by its fingerprint. */
  const findings = new Map<string, Finding>();
  const proved = new Set<string>();
  const reasons = new Map<string, string>();
  const isAsked = (operation: OperationId) => only === undefined || only.includes(operation);

  const proveOf: Findings["proveOf"] = (id, { sent, came, operation }, fault) => {
    const requirement = manifest[id];
    if (operation !== undefined && !isAsked(operation)) return;
    proved.add(id);
    if (fault === undefined || (against === "interface" && !isStated(requirement))) return;
    const fingerprint = toFingerprint({ requirement: id, operation, fault });
    const known = findings.get(fingerprint);
    if (known !== undefined) {
      findings.set(fingerprint, { ...known, times: known.times + 1 });
      return;
    }
    const finding: Finding = {
      requirement: id,
      fingerprint,
      times: 1,
      ...(operation !== undefined && { operation }),
      says: requirement.says,
      source: toSourceText(requirement),
      fault: secrets.hide(toSentence(fault)),
      sent,
      ...(came && { came }),
      curl: toCurl(sent),
    };
    findings.set(fingerprint, finding);
    options.onFinding?.(secrets.hideIn(finding));
  };

  function toReport(): ReturnType<KeptFindings["toReport"]> {
    const failed = new Set([...findings.values()].map(({ requirement }) => requirement));
    const listed = listRequirements(against);
    const kept = listed.filter(({ id }) => proved.has(id) && !failed.has(id));
    const skipped = listed.filter(
      ({ id, operations }) => !proved.has(id) && (only === undefined || operations.some(isAsked)),
    );
    return {
      findings: toOrdered([...findings.values()]),
      kept: kept.map(({ id }) => id).toSorted(),
      skipped: skipped.map(({ id }) => ({
        requirement: id,
        why: reasons.get(id) ?? "nothing was found to check it on",
      })),
    };
  }

  return {
    proveOf,
    prove: (id, { sent, came, ask: { operation } }, fault) =>
      proveOf(id, { sent, came, operation }, fault),
    skip: (id, why) => void reasons.set(id, why),
    isAsked,
    toReport,
  };
}

/** In the order of the manifest and its operations. Requests run in parallel, and reports are compared with earlier ones. */
function toOrdered(findings: readonly Finding[]): readonly Finding[] {
  const keys = Object.entries(manifest).flatMap(([id, { operations }]) =>
    operations.map((operation) => `${id} ${operation}`),
  );
  const places = new Map(keys.map((key, place) => [key, place]));
  const toPlace = ({ requirement, operation }: Finding) =>
    places.get(`${requirement} ${operation}`) ?? keys.length;
  return findings.toSorted(
    (one, other) => toPlace(one) - toPlace(other) || (one.fingerprint < other.fingerprint ? -1 : 1),
  );
}
