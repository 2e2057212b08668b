// The result of `call-media diff`: the changes with their places, and whether the version fits them.
import {
  compareDocuments,
  type Finding,
  findUnfitVersion,
  greatestOf,
  type Rating,
  type Severities,
  versionOf,
} from "@call-media/contract-diff";
import type { OpenApiFile } from "@call-media/contract-diff/files";
import { UsageError } from "@call-media/terminal";
import { applyKnownChanges, type KnownChange } from "./known-changes.ts";

/** The changes that need a new version: only breaking ones, or all. `any`: no version makes up for a breaking one. */
export type FailOn = "breaking" | "version" | "any";

export interface Change extends Finding {
  /** The file of the change: the later document, or one that it refers to. */
  readonly file: string;
  /** Line of the file, from 1. A removed item has the line of its parent. */
  readonly line: number;
}

export interface JudgedDiff {
  readonly base: string;
  readonly head: string;
  /** `info.version` of both. */
  readonly versions: { readonly base: string; readonly head: string };
  /** The line of the version in the later file. */
  readonly versionLine: number;
  /** The greatest rating of the changes. */
  readonly rating: Rating;
  /** Sorted with the greatest rating first. */
  readonly changes: readonly Change[];
  /** Known and accepted changes, with the reason. They do not count. */
  readonly expected: readonly (Change & { readonly reason: string })[];
  /** Known changes that no longer occur. */
  readonly stale: readonly KnownChange[];
  /** Why the change is refused; null if it is accepted. */
  readonly refusal: string | null;
  /** How long the comparison took. */
  readonly durationMs: number;
}

export interface DiffOptions {
  readonly failOn: FailOn;
  /** Severities by rule id. */
  readonly rules: Severities;
  readonly known: readonly KnownChange[];
}

const ORDER: readonly Rating[] = ["breaking", "additive", "prose"];

/** @throws UsageError when a document cannot be compared. */
export function judge(
  base: OpenApiFile,
  head: OpenApiFile,
  { failOn, rules, known }: DiffOptions,
): JudgedDiff {
  const startedMs = performance.now();
  try {
    const found = compareDocuments(base.document, head.document, { rules })
      .map((finding) => ({ ...finding, ...head.placeOf(finding.pointer) }))
      .toSorted((one, other) => ORDER.indexOf(one.rating) - ORDER.indexOf(other.rating));
    const { changes, expected, stale } = applyKnownChanges(found, known);
    const rating = greatestOf(changes);
    const versions = { base: versionOf(base.document), head: versionOf(head.document) };
    // If only accepted changes are left, the version may be any.
    const isVersionHeld = failOn === "version" && !(rating === "none" && expected.length > 0);
    const unfit =
      isVersionHeld || rating === "breaking"
        ? findUnfitVersion(versions.base, versions.head, rating)
        : undefined;
    const isBreak = failOn === "any" && rating === "breaking";
    const broken = isBreak ? "a breaking change, and --fail-on any accepts none" : undefined;
    const refusal = stale.length > 0 ? toStaleWords(stale) : (unfit ?? broken);
    const files = { base: base.file, head: head.file };
    const versionLine = head.placeOf("#/info/version").line;
    const durationMs = Math.round(performance.now() - startedMs);
    const judged = { rating, changes, expected, stale, refusal: refusal ?? null, durationMs };
    return { ...files, versions, versionLine, ...judged };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UsageError(`${base.file}, ${head.file}: ${reason}`, { cause: error });
  }
}

function toStaleWords(stale: readonly KnownChange[]): string {
  const entries = stale.map(({ rule, pointer }) => `${rule} at ${pointer}`).join("; ");
  return `known changes that are not there any more, take them out: ${entries}`;
}
