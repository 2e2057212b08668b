// Known differences of a service: which findings they excuse, and which of them excuse nothing any more.
import { type OperationId, routes } from "@call-media/api";
import {
  type ApiDocument,
  type ApiReport,
  listClauses,
  listRequirements,
  type Relations,
  type Report,
} from "@call-media/conformance";
import { UsageError } from "../failures/usage-error.ts";
import { parseMapping, parseText, readDocumentFile } from "../files/document-file.ts";

/** A distinct fault that is known and accepted, with the reason why. */
export interface Expectation {
  /** Id of the requirement, as a report names it. */
  readonly requirement: string;
  readonly operation?: string;
  /** Of the finding: a new fault of the same requirement and operation has another. */
  readonly fingerprint: string;
  /** What is wrong, for whoever reads the list. */
  readonly fault?: string;
  readonly reason: string;
}

const FIELDS = ["requirement", "operation", "fingerprint", "fault", "reason"] as const;

/** What an entry may name. */
export interface Vocabulary {
  readonly requirements: ReadonlySet<string>;
  readonly operations: readonly string[];
}

export const OWN_VOCABULARY: Vocabulary = {
  requirements: new Set(listRequirements("decisions").map(({ id }) => id)),
  operations: routes.map(({ operationId }) => operationId),
};

/** Of any other API: the clauses of the kit and the ids that its relations give them. */
export const toVocabulary = ({ operations }: ApiDocument, relations: Relations): Vocabulary => ({
  requirements: listClauses(relations),
  operations: [...operations.keys()],
});

/** What both kinds of report have in common as far as it is judged here. */
interface Found {
  readonly verdict: "kept" | "drift" | "unable";
  readonly reason?: string;
  readonly findings: readonly {
    readonly requirement: string;
    readonly operation?: string;
    readonly fingerprint: string;
  }[];
}

/** A report in which what was expected no longer counts; without expectations it says what the kit said. */
export type Judged<Of extends Found> = Of & {
  /** Findings that an expectation excuses. */
  readonly expected: readonly (Of["findings"][number] & { readonly reason: string })[];
  /** Expectations that nothing was found for any more: they fail a check. */
  readonly stale: readonly Expectation[];
};
export type JudgedReport = Judged<Report>;

/** @throws UsageError naming the entry and its fault. */
export async function readExpectations(
  file: string,
  vocabulary: Vocabulary = OWN_VOCABULARY,
): Promise<readonly Expectation[]> {
  const list = await readDocumentFile(file);
  if (!Array.isArray(list))
    throw new UsageError(
      `${file} must be a list of { requirement, operation, fingerprint, reason }`,
    );
  return list.map((entry, index) =>
    parseExpectation(entry, `${file}, entry ${index + 1}`, vocabulary),
  );
}

function parseExpectation(
  entry: unknown,
  where: string,
  { requirements, operations }: Vocabulary,
): Expectation {
  const mapping = parseMapping(entry, where, FIELDS);
  const [requirement, operation, fingerprint, fault, reason] = FIELDS.map((field) =>
    parseText(mapping, field, where),
  );
  if (requirement === undefined) throw new UsageError(`${where} names no requirement`);
  if (reason === undefined) throw new UsageError(`${where} (${requirement}) gives no reason`);
  if (!requirements.has(requirement))
    throw new UsageError(`${where}: there is no requirement ${requirement}`);
  if (fingerprint === undefined)
    throw new UsageError(
      `${where} (${requirement}) has no fingerprint: copy that of the finding, call-media check --json shows it`,
    );
  if (operation !== undefined) checkOperation(operation, where, operations);
  return {
    requirement,
    ...(operation && { operation }),
    fingerprint,
    ...(fault && { fault }),
    reason,
  };
}

/** @throws UsageError listing the operations there are. */
export function parseOperation(text: string, where: string): OperationId {
  checkOperation(text, where, OWN_VOCABULARY.operations);
  return text as OperationId; // one of them
}

function checkOperation(text: string, where: string, operations: readonly string[]): void {
  if (!operations.includes(text))
    throw new UsageError(
      `${where}: there is no operation ${text}; there are ${operations.join(", ")}`,
    );
}

/** Takes the expected findings out of a report and judges what is left. `wasChecked`: whether the run could have found the fault. */
export function applyExpectations<Of extends Found>(
  report: Of,
  expectations: readonly Expectation[],
  wasChecked: (entry: Expectation) => boolean,
): Judged<Of> {
  const findReason = (finding: Of["findings"][number]) =>
    expectations.find((entry) => excuses(entry, finding))?.reason;
  const judged = report.findings.map((finding) => ({ finding, reason: findReason(finding) }));
  const findings = judged
    .filter(({ reason }) => reason === undefined)
    .map(({ finding }) => finding);
  const expected = judged.flatMap(({ finding, reason }) =>
    reason === undefined ? [] : [{ ...finding, reason }],
  );
  // A run that ended early cannot tell that a difference is gone.
  const stale = expectations.filter(
    (entry) =>
      report.reason === undefined &&
      wasChecked(entry) &&
      !report.findings.some((found) => excuses(entry, found)),
  );
  return { ...report, verdict: toVerdict(report, findings, stale), findings, expected, stale };
}

function excuses({ fingerprint }: Expectation, finding: { readonly fingerprint: string }): boolean {
  return fingerprint === finding.fingerprint;
}

/** Not what `only` left out, nor requirements of the other yardstick. */
export const wasCheckedBy =
  (report: Report, only?: readonly OperationId[]) =>
  ({ requirement, operation }: Expectation): boolean => {
    const isFound = report.findings.some((finding) => finding.requirement === requirement);
    if (!isFound && !report.kept.includes(requirement)) return false;
    return only === undefined || only.some((name) => name === operation);
  };

/** Not what needs `--write` or a second caller that this run had not, nor what `--without` left out. */
export const wasSeenBy =
  ({ findings, kept }: ApiReport) =>
  (entry: Expectation): boolean =>
    [...findings, ...kept].some(
      ({ requirement, operation }) =>
        requirement === entry.requirement && operation === (entry.operation ?? operation),
    );

function toVerdict(
  { reason, verdict }: Found,
  findings: Found["findings"],
  stale: readonly Expectation[],
): Found["verdict"] {
  if (findings.length > 0 || stale.length > 0) return "drift";
  return verdict === "unable" || reason !== undefined ? "unable" : "kept";
}
