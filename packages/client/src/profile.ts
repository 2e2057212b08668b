// What is known of a service beforehand: its answers to what the interface leaves open.
import type { ServiceProfile } from "@call-media/api";

import { isObject } from "./answer.ts";

/**
 * How the service answers what the interface leaves open, as `call-media probe --profile-out` writes it, or a few of its
 * fields. What is left out or null is taken to be as D01-D28 have it.
 */
export type Profile = Partial<ServiceProfile>;

interface Rule {
  readonly fits: (value: unknown) => boolean;
  readonly must: string;
}

const oneOf = (...values: readonly (string | number | boolean)[]): Rule => ({
  fits: (value) => values.some((one) => one === value),
  must: `be ${values.map((one) => JSON.stringify(one)).join(" or ")}`,
});
const integerFrom = (least: number): Rule => ({
  fits: (value) => Number.isSafeInteger(value) && Number(value) >= least,
  must: `be an integer from ${least} up`,
});
const YES_OR_NO = oneOf(true, false);

const RULES: Readonly<Record<Exclude<keyof ServiceProfile, "baseUrl">, Rule>> = {
  firstPage: oneOf(0, 1),
  pageSize: integerFrom(1),
  pastTheEndStatus: integerFrom(200),
  recordCount: oneOf("all", "page"),
  order: oneOf("newest-first", "oldest-first", "other"),
  endDate: oneOf("included", "excluded"),
  utcOffsetMinutes: {
    fits: (value) =>
      isObject(value) && [value["from"], value["to"]].every((end) => Number.isSafeInteger(end)),
    must: "be { from, to }, both integers",
  },
  ignoresCase: YES_OR_NO,
  ignoresOuterSpaces: YES_OR_NO,
  matchesBeginning: YES_OR_NO,
  matchesEnd: YES_OR_NO,
  ignoresPhoneNotation: YES_OR_NO,
  streamRanges: YES_OR_NO,
  streamDigest: YES_OR_NO,
  tokenLifeS: integerFrom(1),
};

/**
 * Fields that it does not know are of a later kit, and left alone.
 *
 * @throws TypeError naming the field and its fault.
 */
export function checkProfile(profile: unknown, baseUrl: string): void {
  if (!isObject(profile)) throw new TypeError("profile must be an object");
  for (const [name, { fits, must }] of Object.entries(RULES)) {
    const value = profile[name] ?? null;
    if (value !== null && !fits(value))
      throw new TypeError(`profile.${name} must ${must}, or null`);
  }
  const address = profile["baseUrl"] ?? baseUrl;
  // With the pages of another service records would be left out.
  if (typeof address !== "string" || normalise(address) !== normalise(baseUrl))
    throw new TypeError(`profile.baseUrl must be ${baseUrl}: the profile is of another service`);
}

function normalise(address: string): string {
  return (URL.canParse(address) ? new URL(address).href : address).replace(/\/+$/, "");
}
