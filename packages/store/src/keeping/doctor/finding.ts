// What the doctor says of an archive.

export interface Finding {
  /** An error keeps the archive from being served rightly; a warning wants a look before it becomes one. */
  readonly level: "error" | "warning";
  /** What is wrong, in a sentence. */
  readonly what: string;
  /** The file, folder or row. */
  readonly where: string;
  /** What the operator can do about it. */
  readonly todo: string;
}

export const RESTORE =
  'restore the last backup into another folder ("restore"), and look for what damaged this one: disk, memory, a copy made while it was in use';

export const error = (what: string, where: string, todo: string): Finding => ({
  level: "error",
  what,
  where,
  todo,
});

export const warning = (what: string, where: string, todo: string): Finding => ({
  level: "warning",
  what,
  where,
  todo,
});
