// The findings of `Maintenance.check` and `MediaStore.check`. Something that is wrong with an archive.
export interface Finding {
  /** An error keeps the archive from being served rightly; a warning wants a look before it becomes one. */
  readonly level: "error" | "warning";
  /** The fault, in a sentence. */
  readonly what: string;
  /** The file, folder, table or row. */
  readonly where: string;
  /** The advice for the operator. */
  readonly todo: string;
}
