// Which version numbers the document may have after a change (D26, Semantic Versioning 2.0.0).
import type { Rating } from "./rating.ts";

/** The word for a rating in version numbers and changesets; undefined for no change. */
export const BUMPS = {
  none: undefined,
  prose: "patch",
  additive: "minor",
  breaking: "major",
} as const satisfies Record<Rating, string | undefined>;

/**
 * The versions that fit a change: the next of its kind, or the next of a greater kind, since several changes are released
 * together. Without a change only the released one fits. Throws an Error when the version is not of the form 1.2.3.
 */
export function fittingVersions(released: string, least: Rating): string[] {
  const [, ...numbers] = /^(\d+)\.(\d+)\.(\d+)$/.exec(released) ?? [];
  const [major, minor, patch] = numbers.map(Number);
  if (major === undefined || minor === undefined || patch === undefined) {
    throw new Error(`info.version is ${released}, but must be three numbers such as 1.2.3`);
  }
  const next = [`${major}.${minor}.${patch + 1}`, `${major}.${minor + 1}.0`, `${major + 1}.0.0`];
  const from = { none: undefined, prose: 0, additive: 1, breaking: 2 }[least];
  return from === undefined ? [released] : next.slice(from);
}
