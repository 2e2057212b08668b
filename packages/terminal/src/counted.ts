// A number before the word for what it counts.

/** "1 file", "2,000 files"; `several` where that is not the word with an s. */
export const toCounted = (count: number, noun: string, several = `${noun}s`): string =>
  `${count.toLocaleString("en")} ${count === 1 ? noun : several}`;
