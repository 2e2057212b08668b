// The behaviour of a service where the interface is silent, in the form that the conformance kit writes and the client
// reads.

/** One service's answers to open questions. `null`: unknown, or both ways were seen. */
export interface ServiceProfile {
  /** Address of the service, without a slash at its end. */
  readonly baseUrl: string;
  /** pageIndex of the first page (D07). */
  readonly firstPage: 0 | 1 | null;
  /** Records on a page that is not the last (interface, Limits: 50 by default). */
  readonly pageSize: number | null;
  /** HTTP status of a page past the end; 200 means that it is empty (D07). */
  readonly pastTheEndStatus: number | null;
  /** The meaning of recordCount: the matches on all pages, or the records of the page (D10). */
  readonly recordCount: "all" | "page" | null;
  /** In which order records come, by datetime (D09). */
  readonly order: "newest-first" | "oldest-first" | "other" | null;
  /** True if the day `endDate` belongs to a range (D06). */
  readonly endDate: "included" | "excluded" | null;
  /**
   * How many minutes ahead of UTC the days of a range are (D03), at least and at most: records near
   * midnight narrow it down. Null also where it is not the same throughout, for summer time.
   */
  readonly utcOffsetMinutes: { readonly from: number; readonly to: number } | null;
  /** True if a filter ignores letter case (D08). */
  readonly ignoresCase: boolean | null;
  /** True if a filter ignores spaces around it (D08). */
  readonly ignoresOuterSpaces: boolean | null;
  /** True if a filter finds values that begin with it (D08). */
  readonly matchesBeginning: boolean | null;
  /** True if a filter finds values that end with it (D08). */
  readonly matchesEnd: boolean | null;
  /** True if a telephone number is found in another notation (D08). */
  readonly ignoresPhoneNotation: boolean | null;
  /** True if a stream supports ranges (D16). */
  readonly streamRanges: boolean | null;
  /** True if a stream has the SHA-256 of the complete recording in Repr-Digest (D16). */
  readonly streamDigest: boolean | null;
  /** How long a token is good for, in seconds from its issue (D18). */
  readonly tokenLifeS: number | null;
}
