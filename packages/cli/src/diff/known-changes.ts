// Changes that the owner of a document accepts, each with a reason, and outdated entries.
import { type Finding, RULE_IDS } from "@call-media/contract-diff";
import { UsageError } from "@call-media/terminal";
import { parseMapping, parseText, readDocumentFile } from "../files/document-file.ts";

/** An accepted change: its rule and its place. */
export interface KnownChange {
  readonly rule: string;
  /** JSON Pointer, as in a report. */
  readonly pointer: string;
  readonly reason: string;
}

const FIELDS = ["rule", "pointer", "reason"] as const;

/** @throws UsageError naming the entry and its fault. */
export async function readKnownChanges(file: string): Promise<readonly KnownChange[]> {
  const list = await readDocumentFile(file);
  if (!Array.isArray(list))
    throw new UsageError(`${file} must be a list of { rule, pointer, reason }`);
  return list.map((entry, index) => parseKnownChange(entry, `${file}, entry ${index + 1}`));
}

function parseKnownChange(entry: unknown, where: string): KnownChange {
  const mapping = parseMapping(entry, where, FIELDS);
  const [rule, pointer, reason] = FIELDS.map((field) => parseText(mapping, field, where));
  if (rule === undefined || pointer === undefined)
    throw new UsageError(`${where} needs rule and pointer: call-media diff --json shows them`);
  if (reason === undefined) throw new UsageError(`${where} (${rule} ${pointer}) gives no reason`);
  if (!RULE_IDS.includes(rule))
    throw new UsageError(`${where}: no rule ${rule}; call-media diff --help lists them`);
  return { rule, pointer, reason };
}

/** Splits findings into new and known ones. `stale`: entries without a finding. */
export function applyKnownChanges<Found extends Finding>(
  findings: readonly Found[],
  known: readonly KnownChange[],
) {
  const fits = (entry: KnownChange, { rule, pointer }: Finding) =>
    entry.rule === rule && entry.pointer === pointer;
  const reasonOf = (finding: Found) => known.find((entry) => fits(entry, finding))?.reason;
  return {
    changes: findings.filter((finding) => reasonOf(finding) === undefined),
    expected: findings.flatMap((finding) => {
      const reason = reasonOf(finding);
      return reason === undefined ? [] : [{ ...finding, reason }];
    }),
    stale: known.filter((entry) => !findings.some((finding) => fits(entry, finding))),
  };
}
