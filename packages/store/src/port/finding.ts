// A problem with an archive, as found by `Maintenance.check` or `MediaStore.check`.
export interface Finding {
  /** An error prevents correct service of the archive; a warning needs attention before it becomes an error. */
  readonly level: "error" | "warning";
  /** The fault, in a sentence. */
  readonly what: string;
  /** The file, directory, table or row. */
  readonly where: string;
  /** The advice for the operator. */
  readonly todo: string;
}
