// What `call-media diff` tells: the changes, where each stands, and whether the version tells of them.
import {
  compareDocuments,
  type Finding,
  findUnfitVersion,
  greatestOf,
  type OptionalRule,
  type Rating,
  versionOf,
} from "@call-media/contract-diff";
import { UsageError } from "../failures/usage-error.ts";
import type { OpenApiFile } from "./open-api-file.ts";

/** What a change must be for its version to matter: `breaking` alone, or every change. */
export type FailOn = "breaking" | "version";

export interface Change extends Finding {
  /** Of the later file, from 1; what is gone has the line of what it stood in. */
  readonly line: number;
}

export interface JudgedDiff {
  readonly base: string;
  readonly head: string;
  /** `info.version` of both. */
  readonly versions: { readonly base: string; readonly head: string };
  /** Where the later file has it. */
  readonly versionLine: number;
  /** The greatest of the changes. */
  readonly rating: Rating;
  /** The greatest first. */
  readonly changes: readonly Change[];
  /** Why the version does not tell of the changes; null when it does, or need not. */
  readonly refusal: string | null;
  /** How long the comparison took. */
  readonly durationMs: number;
}

export interface DiffOptions {
  readonly failOn: FailOn;
  /** Rules that judge only where they are asked for. */
  readonly rules: readonly OptionalRule[];
}

const ORDER: readonly Rating[] = ["breaking", "additive", "prose"];

/** @throws UsageError when a document cannot be compared. */
export function judge(
  base: OpenApiFile,
  head: OpenApiFile,
  { failOn, rules }: DiffOptions,
): JudgedDiff {
  const startedMs = performance.now();
  try {
    const changes = compareDocuments(base.document, head.document, { rules })
      .map((finding) => ({ ...finding, line: head.lineOf(finding.pointer) }))
      .toSorted((one, other) => ORDER.indexOf(one.rating) - ORDER.indexOf(other.rating));
    const rating = greatestOf(changes);
    const versions = { base: versionOf(base.document), head: versionOf(head.document) };
    const matters = failOn === "version" || rating === "breaking";
    const refusal = matters ? findUnfitVersion(versions.base, versions.head, rating) : undefined;
    const files = { base: base.file, head: head.file };
    const versionLine = head.lineOf("#/info/version");
    const durationMs = Math.round(performance.now() - startedMs);
    const found = { rating, changes, refusal: refusal ?? null, durationMs };
    return { ...files, versions, versionLine, ...found };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UsageError(`${base.file}, ${head.file}: ${reason}`, { cause: error });
  }
}
