// An open archive, as the service sees it.
import type { AccessLog } from "./access-log.ts";
import type { Calls } from "./calls.ts";
import type { Credentials } from "./credentials.ts";
import type { ImportedRows, ImportSession, ImportSessionOptions } from "./import-session.ts";
import type { Maintenance } from "./maintenance.ts";
import type { MediaStore } from "./media.ts";
import type { ReadBack } from "./read-back.ts";
import type { Replica } from "./replica.ts";
import type { SignIns } from "./sign-ins.ts";
import type { Users } from "./users.ts";
import type { Vitals } from "./vitals.ts";

export interface CallStore extends AsyncDisposable {
  /** IANA name: how datetimes without an offset are read and where days begin (D03, D06). */
  readonly timeZone: string;
  /** True if searches apply `words` (D30). */
  readonly hasWordSearch?: boolean;
  readonly calls: Calls;
  readonly users: Users;
  readonly credentials: Credentials;
  readonly accessLog: AccessLog;
  readonly media: MediaStore;
  /** Present if the places name one. */
  readonly replica?: Replica | undefined;
  /** For adapters that several servers share. A single server counts sign-ins itself. */
  readonly signIns?: SignIns;
  readonly maintenance: Maintenance;
  /** For adapters whose storage may change what was written. */
  readonly readBack?: ReadBack;
  openImport(options?: ImportSessionOptions): Promise<ImportSession>;
  importedRows(): Promise<ImportedRows>;
  /** What an operator wants to be alerted on. Reads no records. */
  vitals(): Promise<Vitals>;
  /** Writes what is still queued, and throws if that fails. */
  [Symbol.asyncDispose](): Promise<void>;
}
