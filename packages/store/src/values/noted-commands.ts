// The settings with the last success of each command that an archive remembers.
import type { Noted, NotedCommand, Vitals } from "../port/vitals.ts";

const COMMANDS: readonly NotedCommand[] = ["import", "backup", "verify", "retention"];

export const toNotedSetting = (command: NotedCommand): string => `noted_${command}`;

export const toNotedValue = ({ atMs, count }: Noted): string => `${atMs} ${count}`;

/** `find`: the value of a setting. */
export function readNoted(find: (name: string) => string | undefined): Vitals["noted"] {
  const noted = COMMANDS.flatMap((command) => {
    const [atMs, count] = (find(toNotedSetting(command)) ?? "").split(" ").map(Number);
    return atMs === undefined || count === undefined ? [] : [[command, { atMs, count }] as const];
  });
  return Object.fromEntries(noted);
}
