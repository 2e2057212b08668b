// The profile of a service: its behaviour where the interface is silent.
import type { ServiceProfile } from "@call-media/api";

import { check, checkInteger } from "./check.ts";
import { parseBaseUrl } from "./options.ts";
import { isObject } from "./values.ts";

/**
 * The service's behaviour where the interface is silent, as written by `call-media probe --profile-out`, or some of its
 * fields. If a field is missing or null, the client finds out or follows the decisions. It uses:
 *
 * - `firstPage`: begins there, and requests no other.
 * - `pageSize`: treats a shorter page as the last one.
 * - `pastTheEndStatus`: treats a page with that status, after the first, as the end of the search.
 * - `recordCount`: `all` ends a search by custom fields after that many records; `page` ignores the number.
 * - `endDate`: if `excluded`, requests one day more, so that `endDate` of a search is always included.
 * - `order`: if `oldest-first`, reads `windowDays` from the first day on.
 * - `baseUrl`: refuses the profile of another service.
 */
export type Profile = Partial<ServiceProfile>;

/** The fields that the client uses, with their possible values. */
const CHOICES = {
  firstPage: [0, 1],
  recordCount: ["all", "page"],
  order: ["newest-first", "oldest-first", "other"],
  endDate: ["included", "excluded"],
} as const satisfies Partial<Record<keyof ServiceProfile, readonly unknown[]>>;

/**
 * Ignores fields that the client does not use.
 *
 * @throws TypeError naming the field and its fault.
 */
export function checkProfile(profile: unknown, baseUrl: string): void {
  check(isObject(profile), "profile must be an object");
  for (const [name, choices] of Object.entries<readonly unknown[]>(CHOICES)) {
    check(
      choices.includes(profile[name] ?? choices[0]),
      `profile.${name} must be ${choices.join(" or ")}`,
    );
  }
  for (const name of ["pageSize", "pastTheEndStatus"] as const satisfies (keyof Profile)[])
    checkInteger(`profile.${name}`, profile[name] ?? 1, [1, 1e6]);
  // With the paging of another service, records would be missed.
  const own = parseBaseUrl("profile.baseUrl", profile["baseUrl"] ?? baseUrl);
  check(own === baseUrl, `profile.baseUrl must be ${baseUrl}`);
}
