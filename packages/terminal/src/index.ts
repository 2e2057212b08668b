// What both programs share on a terminal.
export { toCounted } from "./counted.ts";
export { printHelp } from "./help-text.ts";
export {
  console,
  io,
  type Io,
  type Manner,
  type Output,
  printAccount,
  runWith,
  toProgressOutput,
} from "./io.ts";
export { toNumber, toUserId, toWholeNumber } from "./numbers.ts";
export { createPaint, type Paint, toPrintable } from "./paint.ts";
export { createProgressLine, type ProgressLine } from "./progress-line.ts";
export { toBar, toSize, toTime } from "./progress-words.ts";
export { toArgument, toShellWord } from "./shell-word.ts";
export { toSuggestion } from "./suggestion.ts";
export { createTable, cut, fit, printTable, type Table } from "./table.ts";
export { toTableWidth, toTextWidth } from "./terminal-width.ts";
export { UsageError } from "./usage-error.ts";
export { findUserFolder } from "./user-folders.ts";
export { wrap } from "./wrap.ts";
