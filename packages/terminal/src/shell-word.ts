// Words of a command that is shown, to be pasted into a shell.

/** A path. */
export const toShellWord = (path: string): string =>
  toArgument(path.startsWith("-") ? `./${path}` : path); // else it would be an option

/** The value of an option. */
export function toArgument(word: string): string {
  return /^[\w./:@%+-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
