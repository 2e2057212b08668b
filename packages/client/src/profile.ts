// What is known of a service beforehand: its answers to what the interface leaves open.
import type { ServiceProfile } from "@call-media/api";

import { isObject } from "./answer.ts";

/**
 * How the service answers what the interface leaves open, as `call-media probe --profile-out` writes it, or a few of its
 * fields. What is left out or null is taken to be as D01-D28 have it.
 */
export type Profile = Partial<ServiceProfile>;

/** What the client goes by, and the values it can have; a number is the least of integers. */
const USED = {
  firstPage: [0, 1],
  pageSize: 1,
  pastTheEndStatus: 200,
  recordCount: ["all", "page"],
  order: ["newest-first", "oldest-first", "other"],
  endDate: ["included", "excluded"],
} as const satisfies Partial<Record<keyof ServiceProfile, number | readonly unknown[]>>;

/**
 * Fields that the client does not go by are for others, and left alone.
 *
 * @throws TypeError naming the field and its fault.
 */
export function checkProfile(profile: unknown, baseUrl: string): void {
  if (!isObject(profile)) throw new TypeError("profile must be an object");
  for (const [name, allowed] of Object.entries(USED)) {
    const value = profile[name] ?? null;
    const fits =
      typeof allowed === "number"
        ? Number.isSafeInteger(value) && Number(value) >= allowed
        : allowed.some((one) => one === value);
    const must =
      typeof allowed === "number" ? `an integer from ${allowed} up` : allowed.join(" or ");
    if (value !== null && !fits) throw new TypeError(`profile.${name} must be ${must}, or null`);
  }
  // With the pages of another service records would be left out.
  if (normalise(profile["baseUrl"] ?? baseUrl) !== normalise(baseUrl))
    throw new TypeError(`profile.baseUrl must be ${baseUrl}: the profile is of another service`);
}

function normalise(address: unknown): string {
  const text = String(address);
  return (URL.canParse(text) ? new URL(text).href : text).replace(/\/+$/, "");
}
