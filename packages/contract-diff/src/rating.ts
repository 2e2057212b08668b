// How much a change of a document asks of those who call the service.

/** From the least to the greatest; `none` is no change at all. */
const RATINGS = ["none", "prose", "additive", "breaking"] as const;

/**
 * `breaking`: a client that kept to the document may fail. `additive`: it does not fail, and there is something new to
 * use or to rely on. `prose`: only what people read has changed.
 */
export type Rating = (typeof RATINGS)[number];

/** One change of a document, rated by one rule. */
export interface Finding {
  readonly rating: Exclude<Rating, "none">;
  /** The rule that rated it, such as `gone`, `type` or `must-be-sent`. */
  readonly rule: string;
  /** Where it stands in the later document, as a JSON Pointer that begins with `#`; in the earlier one when it is gone. */
  readonly pointer: string;
  /** What it is for a client, and what has changed: `GET /flags/public 200 Retry-After: ...`. */
  readonly message: string;
  /** Every operation that it reaches, by method and path; the first is the one that the message names. */
  readonly operations: readonly string[];
  /** What is written at the place in the earlier document; absent where nothing is, and of what came or went as a whole. */
  readonly from?: unknown;
  /** The same in the later document. */
  readonly to?: unknown;
}

export function isGreater(one: Rating, other: Rating): boolean {
  return RATINGS.indexOf(one) > RATINGS.indexOf(other);
}

/** The greatest rating of several findings; `none` where there are none. */
export function greatestOf(findings: readonly Finding[]): Rating {
  return findings.reduce<Rating>(
    (greatest, { rating }) => (isGreater(rating, greatest) ? rating : greatest),
    "none",
  );
}
