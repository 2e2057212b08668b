// Sets how a fake answers questions that the interface leaves open: by the decisions, or by the profile of another service.
import type { ServiceProfile } from "@call-media/api";
import { toOffset } from "@call-media/store/values";

/** As `call-media probe --profile-out` writes it, or a few of its fields. */
export type Profile = Partial<ServiceProfile>;

/** Every behaviour that a fake can have where the interface leaves a question open. */
export type Behaviour = {
  readonly [Field in Exclude<keyof ServiceProfile, "baseUrl">]: NonNullable<ServiceProfile[Field]>;
};

export const DECIDED: Behaviour = {
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

const CHOICES = {
  firstPage: [0, 1],
  recordCount: ["all", "page"],
  order: ["newest-first", "oldest-first", "other"],
  endDate: ["included", "excluded"],
} as const satisfies { readonly [Field in keyof Behaviour]?: readonly Behaviour[Field][] };

/**
 * Omitted and null values follow the decisions.
 *
 * @throws TypeError naming the field and its fault.
 */
export function toBehaviour(profile: Profile): Behaviour {
  const given = Object.entries(profile).filter(
    ([, value]) => value !== null && value !== undefined,
  );
  const behaviour: Behaviour = { ...DECIDED, ...Object.fromEntries(given) };
  for (const [field, choices] of Object.entries<readonly unknown[]>(CHOICES))
    if (!choices.includes(behaviour[field as keyof typeof CHOICES]))
      throw new TypeError(`profile.${field} must be ${choices.join(" or ")}`);
  for (const field of ["pageSize", "pastTheEndStatus"] as const)
    if (!Number.isInteger(behaviour[field]) || behaviour[field] < 1)
      throw new TypeError(`profile.${field} must be a positive integer`);
  return behaviour;
}

/** The IANA name of a time zone with this offset from UTC. */
export function toTimeZone({ utcOffsetMinutes: { from } }: Behaviour): string {
  return from === 0 ? "UTC" : toOffset(from);
}
