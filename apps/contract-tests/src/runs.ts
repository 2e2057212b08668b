// The number of repetitions of a conformance run: a hundred runs in `prove`.

/** Repetitions after the first run, as vitest counts them. */
export const repeats = process.env["CALL_MEDIA_TIER"] === "prove" ? 99 : 0;
