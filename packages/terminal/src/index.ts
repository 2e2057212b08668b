// Terminal input and output, shared by both programs.
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
export { readGivenFile } from "./given-file.ts";
export { readIds } from "./ids.ts";
export { createDayParser, toNumber, toNumberOfDays, toUserId, toWholeNumber } from "./numbers.ts";
export { createPaint, type Paint, toPrintable } from "./paint.ts";
export { createProgressLine, type ProgressLine } from "./progress-line.ts";
export { toSuggestion } from "./suggestion.ts";
export { createTable, cut, fit, printTable, type Table } from "./table.ts";
export { UsageError } from "./usage-error.ts";
export { findUserFolder } from "./user-folders.ts";
export { printHelp, toTableWidth, toTextWidth, wrap } from "./width.ts";
export { toArgument, toBar, toCounted, toShellWord, toSize, toTime } from "./words.ts";
