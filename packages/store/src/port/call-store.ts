// An archive that is open, as the service sees it.
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
  /** If the places name one. */
  readonly replica?: Replica | undefined;
  /** For adapters that several servers share; a single server counts for itself. */
  readonly signIns?: SignIns;
  readonly maintenance: Maintenance;
  /** For adapters whose place may change what was written. */
  readonly readBack?: ReadBack;
  openImport(options?: ImportSessionOptions): Promise<ImportSession>;
  importedRows(): Promise<ImportedRows>;
  /** Writes what waits to be written, and throws when that is not possible. */
  [Symbol.asyncDispose](): Promise<void>;
}
