// A text as one word of a command that is shown, to be pasted into a shell.

export const toShellWord = (text: string): string =>
  /^[\w./:@%+-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
