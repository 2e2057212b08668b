// The faults of one call to a disk, to SQLite or to a bucket.

/** What becomes of the `nth` call of a name; where the system itself refuses, of what goes beyond `nth` blocks of a file. */
export interface Fault {
  readonly kind: FaultKind;
  readonly call: string;
  readonly nth: number;
}

export type FaultKind =
  /** The disk refuses it, once. */
  | "fail"
  /** The disk is full from then on: this and all that write are refused. */
  | "full"
  /** Half of it is written, and no more; of what is read, half comes first. */
  | "tear"
  /** One bit is another. */
  | "flip"
  /** The program is killed before it. */
  | "kill"
  /** The system refuses it in the middle, in SQLite too (RLIMIT_FSIZE). */
  | "cut"
  /** The same, and the program is killed then. */
  | "cut and kill"
  /** Before the work, the bit of that number in the file `call` became another. */
  | "rot";

/** The calls that a fault of the kind can be about; the others take any. */
export const SPOILABLE: Readonly<Partial<Record<FaultKind, RegExp>>> = {
  full: /^(?:FileHandle\.(?:writeFile|sync)|writeFile|mkdir|backup|BEGIN IMMEDIATE|COMMIT|VACUUM|INSERT|DELETE|UPDATE|CREATE)/,
  tear: /^(?:FileHandle\.(?:read|writeFile)|writeFile)\b/,
  flip: /^(?:FileHandle\.(?:read|writeFile)|writeFile|readFile)\b/,
};
