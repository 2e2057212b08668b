// How much of each fault: a short form for `verify`, a long one for `prove`, or a number of one's own.

const isLong = process.env["CALL_MEDIA_TIER"] === "prove";

/** `SOAK_<name>` of the environment, else what the form at hand takes. */
export function toNumber(name: string, { short, long }: { short: number; long: number }): number {
  const given = process.env[`SOAK_${name}`];
  if (given === undefined) return isLong ? long : short;
  if (/^\d{1,9}$/.test(given)) return Number(given);
  throw new Error(`SOAK_${name} must be a number`);
}
