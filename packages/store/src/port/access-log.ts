// The access log of an archive, as a port: reads, sign-ins and the operators' acts; rows are appended, never changed.
import type { OperationId } from "@call-media/api";

/** One request of a known caller, and what was released to it. Holds no secret and nothing that stands in a record. */
export interface AccessEntry {
  /** When its answer was about to leave, in ms since 1970. */
  readonly timeMs: number;
  /** The X-Request-Id of the answer. A recording that is cut short has a second row with the same one. */
  readonly requestId: string;
  /** Where the request came from, as far as that is known (D24). */
  readonly address: string;
  readonly userId: number;
  /** The secretID of the application, or the id of the API key; of a session for a user whom a proxy named, "user 7, named by the proxy". */
  readonly credential: string;
  /** The id of the console's session that the request came by (D35). */
  readonly session?: string;
  readonly operation: Exclude<OperationId, "createToken">;
  /** The parameters and the search filter of the request; empty when they were refused. */
  readonly asked: Readonly<Record<string, unknown>>;
  /** The calls that were asked for and, by a reference or a search, shown. */
  readonly callIds: readonly string[];
  /** Records in the answer. */
  readonly rows: number;
  /** The HTTP status of the answer. */
  readonly status: number;
  readonly recording?: ReleasedRecording;
  /** Set on the second row of a recording that did not go out whole: `recording` is what did. */
  readonly isCut?: true;
  /** Set when the caller was given a URL of the place that keeps the recording: which bytes of it were read is not known. */
  readonly isHandedOut?: true;
}

/** A sign-in whose credentials were checked. */
export interface SignInEntry extends Pick<
  AccessEntry,
  "timeMs" | "requestId" | "address" | "rows" | "status"
> {
  readonly operation: "createToken" | "console sign-in";
  /** The user who signed in; undefined when the sign-in failed. */
  readonly userId?: number | undefined;
  /** The secretID that was sent, shortened; of an API key its id, when that is known. */
  readonly credential: string;
  readonly asked: Readonly<Record<string, never>>;
  readonly callIds: readonly never[];
}

/** The part of a recording that left: bytes `first` to `last`, both inclusive. */
export interface ReleasedRecording {
  /** SHA-256 of the whole recording. */
  readonly sha256: string;
  readonly first: number;
  readonly last: number;
}

/** What an operator's erasure has found. Its row is written before the first of it goes; the command's last row says what went. */
export interface ErasureEntry {
  readonly timeMs: number;
  readonly operation: "purge";
  /** The name, on this machine, of the user who ran the command. */
  readonly operator: string;
  /** `before`, a day, or `undated` or `owed`, which is true, or `call_id` or `ref_id`, or the number of `call_ids`; `case`. */
  readonly asked: Readonly<Record<string, unknown>>;
  /** The call that was asked for, or the calls that the reference found; none of a day and of the undated. */
  readonly callIds: readonly string[];
  readonly found?: ErasedCounts;
  /** Version 1.0 wrote this for `found`. */
  readonly erased?: ErasedCounts;
  readonly run?: string;
}

export interface ErasedCounts {
  /** Records of calls. */
  readonly calls: number;
  /** Messages of chats. */
  readonly chats: number;
  /** Files of recordings, and their bytes. */
  readonly files: number;
  readonly fileBytes: number;
}

/** An operator's command on the archive's machine. Its row is written before, or together with, what it is about. */
export interface OperatorEntry extends OperatorAct {
  readonly timeMs: number;
  readonly callIds: readonly string[];
}

export interface OperatorAct {
  readonly operation: OperatorCommand;
  /** The name, on this machine, of the user who ran the command. */
  readonly operator: string;
  /** The arguments or the results of the command; no secret. */
  readonly asked: Readonly<Record<string, unknown>>;
  /** The calls that it is about, where it names them; default: none. */
  readonly callIds?: readonly string[];
  /**
   * A command that takes its time begins with a row, and ends with another, unless it was killed. Of one whose row is written
   * together with what it does, or not at all, "done". Left out by version 1.0, and by rows in the middle of a run.
   */
  readonly outcome?: CommandOutcome;
  /** Why it failed or was refused, in a word: a `FaultReason`, a code of the system, a signal, or the kind of the error. */
  readonly reason?: string;
  /** What became of what the command was given, such as rows that were imported; also of one that failed, as far as it came. */
  readonly counts?: Readonly<Record<string, number>>;
  /** In all rows of one run of a command. */
  readonly run?: string;
}

/** Who writes records. `run`: in all rows of the command in the access log. */
export type Writer = Pick<OperatorAct, "operation" | "operator" | "run">;

/** "refused": nothing was done. */
export type CommandOutcome = "begun" | "done" | "refused" | "failed";

export type OperatorCommand =
  | `user ${"add" | "set"}`
  | `app ${"create" | "revoke"}`
  | `key ${"create" | "revoke"}`
  | "token revoke"
  | "import"
  | "purge"
  | "export"
  | "backup"
  | "restore"
  | "migrate"
  | "demo"
  | "setup"
  | "reindex"
  | "coverage"
  | "history"
  | "trace"
  | `hold ${"add" | "list" | "release"}`
  | `retention ${"set" | "apply"}`
  | "verify"
  | `audit ${"begin-anew" | "accept-loss" | "forget"}`;

/** A stored entry of the log; fields of other kinds of entries are undefined. */
export type LogRow =
  | RowOf<AccessEntry>
  | RowOf<SignInEntry>
  | RowOf<ErasureEntry>
  | RowOf<OperatorEntry>;

type RowOf<Own> = Own & Lacking<Own> & Chained;
type Lacking<Own> = {
  readonly [
    Key in Exclude<keyof AccessEntry | keyof ErasureEntry | keyof OperatorEntry, keyof Own>
  ]?: undefined;
};

interface Chained {
  /** Counts from 1 without a gap. */
  readonly seq: number;
  /** SHA-256 over the hash of the row before and all of this row, 64 hexadecimal digits. */
  readonly hash: string;
}

/** Which rows are wanted: all conditions hold at once, none means every row. */
export interface AccessQuery {
  readonly sinceMs?: number | undefined;
  readonly userId?: number | undefined;
  readonly callId?: string | undefined;
  /** With `callId`: rows of these runs of commands as well, which brought or replaced it. */
  readonly runs?: readonly string[] | undefined;
  /** Rows of commands that have an outcome. */
  readonly hasOutcome?: true | undefined;
}

/** The newest row of the log. */
export interface ChainHead {
  readonly seq: number;
  readonly hash: string;
  /** The entry's time, in ms since 1970. */
  readonly timeMs: number;
}

/** The newest row, which was noted. */
export interface WitnessedHead extends ChainHead {
  /** Why it could not be noted beside the recordings. */
  readonly unnoted?: string | undefined;
}

export interface ChainReport {
  /** Rows up to the fault, or all of them. */
  readonly rows: number;
  /** The hash of the last of these; undefined for an empty log. */
  readonly lastHash: string | undefined;
  /** The first place where the log was changed, in words; undefined when it was not. */
  readonly fault: string | undefined;
  /** The rows by which operators went on with a log that had lost rows, or with a new one. */
  readonly decisions: readonly RowOf<OperatorEntry>[];
  /** The row that was noted last beside the recordings; undefined where none is. */
  readonly noted?: ChainHead | undefined;
}

export interface AccessLog {
  /** Tells this log from every other; one that `migrateArchive` has copied is another. */
  id(): Promise<string>;
  /** The row of this number, default the newest, as it lies there; undefined where it does not. */
  find(seq?: number): Promise<ChainHead | undefined>;
  /**
   * Adds a row. With `isDurable` it resolves when the row would survive a loss of power. Without it, rows are written
   * in groups at most 100 ms later; it waits only while the log is further behind, or could not be written. Throws
   * `StoreFault` when the row, or one before it, cannot be: then the read must be refused, and this row is dropped.
   */
  append(entry: AccessEntry | SignInEntry, isDurable: boolean): Promise<void>;
  /** Adds the row of an operator's command, before what it does; it is on the disk when this resolves. Throws `StoreFault`. */
  record(act: OperatorAct): Promise<void>;
  /** Writes to the log without adding to it. Throws when rows cannot be written, or would be to an archive that is not there any more. */
  check(): Promise<void>;
  /** The rows in their order; memory does not grow with their number. */
  read(query: AccessQuery): AsyncIterable<LogRow>;
  /**
   * Notes the newest row in the records and beside the recordings, so that a later loss of rows is detected, and returns it;
   * undefined without rows. The note may lag behind. Throws `StoreFault`, also when rows that were noted are gone.
   */
  witness(): Promise<WitnessedHead | undefined>;
  /**
   * Follows the chain of hashes from the first row, and looks for the row that was noted last. `knownHash` is a hash
   * noted earlier, which the chain has to contain.
   */
  verify(knownHash?: string): Promise<ChainReport>;
}
