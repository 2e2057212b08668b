// What a service does where the interface is silent, in the form that the conformance kit writes and the client reads.

/** One service's answers to open questions. `null`: that could not be told, or was seen both ways. */
export interface ServiceProfile {
  /** Address of the service, without a slash at its end. */
  readonly baseUrl: string;
  /** pageIndex of the first page (D07). */
  readonly firstPage: 0 | 1 | null;
  /** Records on a page that is not the last (interface, Limits: 50 by default). */
  readonly pageSize: number | null;
  /** HTTP status of a page past the end; 200 means that it is empty (D07). */
  readonly pastTheEndStatus: number | null;
  /** What recordCount counts: the matches on all pages, or the records of the page (D10). */
  readonly recordCount: "all" | "page" | null;
  /** In which order records come, by datetime (D09). */
  readonly order: "newest-first" | "oldest-first" | "other" | null;
  /** Whether the day `endDate` belongs to a range (D06). */
  readonly endDate: "included" | "excluded" | null;
  /**
   * How many minutes ahead of UTC the days of a range are (D03), at least and at most: records near
   * midnight narrow it down. Null also where it is not the same throughout, for summer time.
   */
  readonly utcOffsetMinutes: { readonly from: number; readonly to: number } | null;
  /** Whether a filter finds a value of other letter case (D08). */
  readonly ignoresCase: boolean | null;
  /** Whether a filter with spaces around it finds the value (D08). */
  readonly ignoresOuterSpaces: boolean | null;
  /** Whether a filter finds a value that begins with it (D08). */
  readonly matchesBeginning: boolean | null;
  /** Whether a filter finds a value that ends with it (D08). */
  readonly matchesEnd: boolean | null;
  /** Whether a telephone number is found in another notation (D08). */
  readonly ignoresPhoneNotation: boolean | null;
  /** Whether a stream can be had in ranges (D16). */
  readonly streamRanges: boolean | null;
  /** Whether a stream comes with the SHA-256 of the whole in Repr-Digest (D16). */
  readonly streamDigest: boolean | null;
  /** How long a token is good for, in seconds from its issue (D18). */
  readonly tokenLifeS: number | null;
}
