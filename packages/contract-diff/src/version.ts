// The version numbers that a document may have after a change (D26, Semantic Versioning 2.0.0).
import { toObject, type JsonObject } from "./json.ts";
import type { Rating } from "./rating.ts";

/** The word for a rating in version numbers and changesets; undefined for no change. */
export const BUMPS = {
  none: undefined,
  prose: "patch",
  additive: "minor",
  breaking: "major",
} as const satisfies Record<Rating, string | undefined>;

/** `info.version` of a document. Throws an Error if it is missing or not a string. */
export function versionOf(document: JsonObject): string {
  const { version } = toObject(document["info"]);
  if (typeof version === "string") return version;
  if (version === undefined) throw new Error("the document has no info.version");
  // YAML reads 1.0 without quotes as the number 1.
  throw new Error(
    `info.version is ${JSON.stringify(version)}, not a string: write it in quotes, such as "1.2.3"`,
  );
}

/**
 * Why the later version does not announce a change with this rating, as a sentence; undefined if it does. The next version of the same or a
 * greater kind announces it, since several changes are released together. A version that is not of the form 1.2.3, such as a date,
 * announces every change except a breaking one by being different.
 */
export function findUnfitVersion(
  earlier: string,
  later: string,
  least: Rating,
): string | undefined {
  const change = least === "none" ? "nothing has changed" : `the change is ${least}`;
  const released = `info.version is ${later}; ${earlier} was released and ${change}`;
  const fitting = listFitting(earlier, least);
  if (fitting !== undefined)
    return fitting.includes(later) ? undefined : `${released}: it must be ${fitting.join(" or ")}`;
  if (least === "none") return undefined;
  if (least === "breaking")
    return `${released}, which only a version of the form 1.2.3 can announce`;
  return earlier === later ? `${released}: it must be another` : undefined;
}

/** Undefined if the earlier version is not of the form 1.2.3. */
function listFitting(earlier: string, least: Rating): string[] | undefined {
  const [, ...numbers] = /^(\d+)\.(\d+)\.(\d+)$/.exec(earlier) ?? [];
  const [major, minor, patch] = numbers.map(Number);
  if (major === undefined || minor === undefined || patch === undefined) return undefined;
  const next = [`${major}.${minor}.${patch + 1}`, `${major}.${minor + 1}.0`, `${major + 1}.0.0`];
  // Before 1.0.0 the minor number announces a break (Semantic Versioning 2.0.0, item 4).
  const breaking = major === 0 ? 1 : 2;
  const from = { none: undefined, prose: 0, additive: 1, breaking }[least];
  return from === undefined ? [earlier] : next.slice(from);
}
