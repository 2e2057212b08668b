// Calendar days of an archive.
const DAY_MS = 86_400_000;

export function addDays(day: string, days: number): string {
  return toDay(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS);
}

/** The day of an instant in UTC. */
export function toDay(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

export function today(): string {
  return toDay(Date.now());
}
