// What `Maintenance.check` and `MediaStore.check` find.
/** Something that is wrong with an archive. */
export interface Finding {
  /** An error keeps the archive from being served rightly; a warning wants a look before it becomes one. */
  readonly level: "error" | "warning";
  /** What is wrong, in a sentence. */
  readonly what: string;
  /** The file, folder, table or row. */
  readonly where: string;
  /** What the operator can do about it. */
  readonly todo: string;
}
