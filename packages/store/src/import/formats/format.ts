// What a format of the import is to the runner.
import type { Head } from "../head.ts";
import type { ImportOptions } from "../import-options.ts";
import type { Reader } from "../source-row.ts";

export interface ImportFormat {
  /** For people: "Five9 call log". */
  readonly title: string;
  /** What a user should know besides, for the list of formats. */
  readonly hint?: string;
  /** What its files end in, in lower case, where a folder or a zip archive is given. */
  readonly extensions: readonly string[];
  /** What of the head shows the format, for people: "header has CALL ID, TIMESTAMP"; undefined when it is another. */
  readonly recognise: (head: Head) => string | undefined;
  /** Throws `ImportError` for options that do not fit the format. */
  readonly createReader: (options: ImportOptions) => Reader | Promise<Reader>;
}
