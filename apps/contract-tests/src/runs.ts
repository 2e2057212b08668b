// How often a run of the conformance kit is repeated: a hundred times in `prove`.

/** As vitest counts: after the first run. */
export const repeats = process.env["CALL_MEDIA_TIER"] === "prove" ? 99 : 0;
