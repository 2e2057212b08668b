// How a fake answers what the interface leaves open: as the decisions have it, or as the profile of another service says.
import type { ServiceProfile } from "@call-media/api";

import { checkProfile, type Profile } from "../profile.ts";

/** Every answer to an open question that a fake can give. */
export type Behaviour = {
  readonly [Field in Exclude<keyof ServiceProfile, "baseUrl">]: NonNullable<ServiceProfile[Field]>;
};

const DECIDED: Behaviour = {
  firstPage: 0,
  pageSize: 50,
  pastTheEndStatus: 200,
  recordCount: "all",
  order: "newest-first",
  endDate: "included",
  utcOffsetMinutes: { from: 0, to: 0 },
  ignoresCase: true,
  ignoresOuterSpaces: true,
  matchesBeginning: false,
  matchesEnd: false,
  ignoresPhoneNotation: true,
  streamRanges: true,
  streamDigest: true,
  tokenLifeS: 3600,
};

/**
 * What is left out or null is as the decisions have it.
 *
 * @throws TypeError naming the field and its fault.
 */
export function toBehaviour(profile: Profile, baseUrl: string): Behaviour {
  checkProfile(profile, baseUrl);
  const told = Object.entries(profile).filter(([, value]) => value !== null && value !== undefined);
  return { ...DECIDED, ...Object.fromEntries(told) };
}
