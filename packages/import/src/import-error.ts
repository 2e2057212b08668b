// The error of an import that cannot begin or go on; a fault of one row is a `RowFault`.
import type { ImportedRows } from "@call-media/store";

/**
 * Thrown when an import cannot begin or go on: a file that cannot be opened, a wrong mapping, an unknown time zone.
 * The message is one line for people.
 */
export class ImportError extends Error {
  override readonly name = "ImportError";
  /** The report about the rows before the error, if rows were read. */
  readonly report?: ImportedRows | undefined;

  constructor(message: string, options: ErrorOptions & { readonly report?: ImportedRows } = {}) {
    super(message, options);
    this.report = options.report;
  }
}
