// Known differences of a service: finds the findings that they excuse, and the entries that are out of date.
import { type ApiCheck, type ApiReport, listClauses } from "@call-media/conformance";
import { UsageError } from "@call-media/terminal";
import { parseMapping, parseText, readDocumentFile } from "../files/document-file.ts";

/** A known fault that is accepted, with the reason. */
export interface Expectation {
  /** Id of the requirement in a report. */
  readonly requirement: string;
  readonly operation?: string;
  /** Fingerprint of the finding. Another fault of the same requirement and operation has another one. */
  readonly fingerprint: string;
  /** A description for readers of the list. */
  readonly fault?: string;
  readonly reason: string;
}

const FIELDS = ["requirement", "operation", "fingerprint", "fault", "reason"] as const;

/** The names that an entry may use. */
export interface Vocabulary {
  readonly requirements: ReadonlySet<string>;
  readonly operations: readonly string[];
}

/** The clauses of the kit, with the ids of the relations. */
export const toVocabulary = (check: ApiCheck): Vocabulary => ({
  requirements: listClauses(check),
  operations: [...check.document.operations.keys()],
});

interface Found {
  readonly verdict: "kept" | "drift" | "unable";
  readonly reason?: string;
  readonly findings: readonly {
    readonly requirement: string;
    readonly operation?: string;
    readonly fingerprint: string;
  }[];
}

/** A report whose verdict ignores expected findings. */
export type Judged<Of extends Found> = Of & {
  /** Findings that an expectation excuses. */
  readonly expected: readonly (Of["findings"][number] & { readonly reason: string })[];
  /** Expectations without a finding. They fail a check. */
  readonly stale: readonly Expectation[];
};

/** @throws UsageError naming the entry and its fault. */
export async function readExpectations(
  file: string,
  vocabulary: Vocabulary,
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
    throw new UsageError(`${where}: unknown requirement ${requirement}`);
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

/** @throws UsageError listing the operations. */
export function checkOperation(text: string, where: string, operations: readonly string[]): void {
  if (!operations.includes(text))
    throw new UsageError(
      `${where}: unknown operation ${text}; the operations are ${operations.join(", ")}`,
    );
}

/** Moves the expected findings out of the findings, and updates the verdict. `wasChecked`: true if the run could have found the fault. */
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

/** False for clauses that `--without` or `--only` left out, and for those that need `--write` or a second caller if the run had none. */
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
