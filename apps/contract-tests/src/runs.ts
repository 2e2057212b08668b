// How often a run of the conformance kit is repeated: once in a test run, more often where somebody asks for it.

/** `CALL_MEDIA_RUNS` of the environment, else 1. As vitest counts: after the first. */
export const repeats = parseRuns(process.env["CALL_MEDIA_RUNS"] ?? "1") - 1;

function parseRuns(text: string): number {
  if (/^[1-9]\d{0,3}$/.test(text)) return Number(text);
  throw new Error("CALL_MEDIA_RUNS must be a number from 1 to 9999");
}
