// Known differences of a service: which findings they excuse, and which of them excuse nothing any more.
import { type OperationId, routes } from "@call-media/api";
import { type Finding, listRequirements, type Report } from "@call-media/conformance";
import { UsageError } from "../failures/usage-error.ts";
import { parseMapping, parseText, readDocumentFile } from "../files/document-file.ts";

/** A distinct fault that is known and accepted, with the reason why. */
export interface Expectation {
  /** Id of the requirement, as a report names it. */
  readonly requirement: string;
  readonly operation?: OperationId;
  /** Of the finding: a new fault of the same requirement and operation has another. */
  readonly fingerprint: string;
  /** What is wrong, for whoever reads the list. */
  readonly fault?: string;
  readonly reason: string;
}

const FIELDS = ["requirement", "operation", "fingerprint", "fault", "reason"] as const;

/** A report in which what was expected no longer counts; without expectations it says what the kit said. */
export interface JudgedReport extends Report {
  /** Findings that an expectation excuses. */
  readonly expected: readonly (Finding & { readonly reason: string })[];
  /** Expectations that nothing was found for any more: they fail a check. */
  readonly stale: readonly Expectation[];
}

/** @throws UsageError naming the entry and its fault. */
export async function readExpectations(file: string): Promise<readonly Expectation[]> {
  const list = await readDocumentFile(file);
  if (!Array.isArray(list))
    throw new UsageError(
      `${file} must be a list of { requirement, operation, fingerprint, reason }`,
    );
  return list.map((entry, index) => parseExpectation(entry, `${file}, entry ${index + 1}`));
}

function parseExpectation(entry: unknown, where: string): Expectation {
  const mapping = parseMapping(entry, where, FIELDS);
  const [requirement, operation, fingerprint, fault, reason] = FIELDS.map((field) =>
    parseText(mapping, field, where),
  );
  if (requirement === undefined) throw new UsageError(`${where} names no requirement`);
  if (reason === undefined) throw new UsageError(`${where} (${requirement}) gives no reason`);
  if (!listRequirements("decisions").some(({ id }) => id === requirement))
    throw new UsageError(`${where}: there is no requirement ${requirement}`);
  if (fingerprint === undefined)
    throw new UsageError(
      `${where} (${requirement}) has no fingerprint: copy that of the finding, call-media check --json shows it`,
    );
  return {
    requirement,
    ...(operation && { operation: parseOperation(operation, where) }),
    fingerprint,
    ...(fault && { fault }),
    reason,
  };
}

/** @throws UsageError listing the operations there are. */
export function parseOperation(text: string, where: string): OperationId {
  const route = routes.find(({ operationId }) => operationId === text);
  if (route === undefined)
    throw new UsageError(
      `${where}: there is no operation ${text}; there are ${routes.map(({ operationId }) => operationId).join(", ")}`,
    );
  return route.operationId;
}

/** Takes the expected findings out of a report and judges what is left. `only`: the operations that were checked. */
export function applyExpectations(
  report: Report,
  expectations: readonly Expectation[],
  only?: readonly OperationId[],
): JudgedReport {
  const findReason = (finding: Finding) =>
    expectations.find((entry) => excuses(entry, finding))?.reason;
  const judged = report.findings.map((finding) => ({ finding, reason: findReason(finding) }));
  const findings = judged
    .filter(({ reason }) => reason === undefined)
    .map(({ finding }) => finding);
  const expected = judged.flatMap(({ finding, reason }) =>
    reason === undefined ? [] : [{ ...finding, reason }],
  );
  const stale = expectations.filter(
    (entry) =>
      wasChecked(entry, report, only) && !report.findings.some((found) => excuses(entry, found)),
  );
  return { ...report, verdict: toVerdict(report, findings, stale), findings, expected, stale };
}

function excuses({ fingerprint }: Expectation, finding: Finding): boolean {
  return fingerprint === finding.fingerprint;
}

// A run that ended early, or that left the operation or the requirement out, cannot tell that a difference is gone. The
// requirements of the other yardstick are left out, too.
function wasChecked(
  entry: Expectation,
  report: Report,
  only: readonly OperationId[] | undefined,
): boolean {
  if (report.reason !== undefined) return false;
  const isFound = report.findings.some(({ requirement }) => requirement === entry.requirement);
  if (!isFound && !report.kept.includes(entry.requirement)) return false;
  return only === undefined || (entry.operation !== undefined && only.includes(entry.operation));
}

function toVerdict(
  { reason, verdict }: Report,
  findings: readonly Finding[],
  stale: readonly Expectation[],
): Report["verdict"] {
  if (findings.length > 0 || stale.length > 0) return "drift";
  return verdict === "unable" || reason !== undefined ? "unable" : "kept";
}
