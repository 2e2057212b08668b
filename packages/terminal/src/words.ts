// Formats counts, shares, sizes, times, and arguments of a command to paste into a shell.

/** "1 file", "2,000 files". `several` is the plural if it is not the noun with an s. */
export const toCounted = (count: number, noun: string, several = `${noun}s`): string =>
  `${count.toLocaleString("en")} ${count === 1 ? noun : several}`;

const BAR_WIDTH = 12;

/** `share` from 0 to 1: "[=====       ] 42%". */
export function toBar(share: number): string {
  const full = Math.floor(share * BAR_WIDTH);
  return `[${"=".repeat(full).padEnd(BAR_WIDTH)}] ${Math.floor(share * 100)}%`;
}

const UNITS = ["B", "kB", "MB", "GB", "TB"];

/** Powers of 1000: "41.2 MB". */
export function toSize(bytes: number): string {
  const power = bytes < 1 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log10(bytes) / 3));
  return `${(bytes / 1000 ** power).toFixed(power === 0 ? 0 : 1)} ${UNITS[power]}`;
}

/** "1:20", or "2:01:20". */
export function toTime(seconds: number): string {
  const whole = Math.ceil(seconds);
  const [hours, ...rest] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  const [minutes, padded] = rest.map((part) => String(part).padStart(2, "0"));
  return hours === 0 ? `${Number(minutes)}:${padded}` : `${hours}:${minutes}:${padded}`;
}

/** Quotes a path. */
export const toShellWord = (path: string): string =>
  toArgument(path.startsWith("-") ? `./${path}` : path); // else it would be an option

/** Quotes the value of an option. */
export function toArgument(word: string): string {
  return /^[\w./:@%+-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
