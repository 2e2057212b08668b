// A path as one word of a command that is shown, to be pasted into a shell.

export function toShellWord(path: string): string {
  const word = path.startsWith("-") ? `./${path}` : path; // else it would be an option
  return /^[\w./:@%+-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
