// The impact of a change of a document on the clients of the service.

/** In ascending order; `none` means no change. */
const RATINGS = ["none", "prose", "additive", "breaking"] as const;

/**
 * `breaking`: a client that follows the document may fail. `additive`: it does not fail, and can use or rely on something new. `prose`:
 * only texts for people have changed.
 */
export type Rating = (typeof RATINGS)[number];

/** One change of a document, rated by one rule. */
export interface Finding {
  readonly rating: Exclude<Rating, "none">;
  /** The rule that rated it, such as `gone`, `type` or `must-be-sent`. */
  readonly rule: string;
  /** JSON Pointer of the place in the later document, beginning with `#`. For a removed part, in the earlier document. */
  readonly pointer: string;
  /** The part for a client, and its change: `GET /flags/public 200 Retry-After: ...`. */
  readonly message: string;
  /** All affected operations, by method and path. The first is the one in the message. */
  readonly operations: readonly string[];
  /** The value at the place in the earlier document. Absent if there is none, and if a complete part was added or removed. */
  readonly from?: unknown;
  /** The same for the later document. */
  readonly to?: unknown;
}

export function isGreater(one: Rating, other: Rating): boolean {
  return RATINGS.indexOf(one) > RATINGS.indexOf(other);
}

/** The greatest rating of several findings; `none` if there are none. */
export function greatestOf(findings: readonly Finding[]): Rating {
  return findings.reduce<Rating>(
    (greatest, { rating }) => (isGreater(rating, greatest) ? rating : greatest),
    "none",
  );
}
