// The port of an archive's access log: reads, sign-ins and operators' acts. Rows are appended, never changed.
import type { OperationId } from "@call-media/api";

/** One request of a known caller, and the data it released. Holds no secret and no content of a record. */
export interface AccessEntry {
  /** The time just before the response was sent, in ms since 1970. */
  readonly timeMs: number;
  /** The X-Request-Id of the response. A recording that was truncated has a second row with the same id. */
  readonly requestId: string;
  /** The IP address that the request came from, as far as it is known (D24). */
  readonly address: string;
  readonly userId: number;
  /** The secretID of the application, or the id of the API key. For a session of a user named by a proxy: "user 7, named by the proxy". */
  readonly credential: string;
  /** The id of the console session of the request (D35). */
  readonly session?: string;
  readonly operation: Exclude<OperationId, "createToken"> | "console access";
  /** The parameters and the search filter of the request; empty if they were rejected. */
  readonly asked: Readonly<Record<string, unknown>>;
  /** The calls that were requested, and those that a reference or a search returned. */
  readonly callIds: readonly string[];
  /** Records in the response. */
  readonly rows: number;
  /** The HTTP status of the response. */
  readonly status: number;
  readonly recording?: ReleasedRecording;
  /** Set on the second row of a recording that was not sent completely: `recording` is the part that was sent. */
  readonly isCut?: true;
  /** Set if the caller received a URL of the place that stores the recording. Which of its bytes were read is not known. */
  readonly isHandedOut?: true;
  /** What the console's page said that it makes the request for (D40); undefined: to show or play what it got. */
  readonly use?: ConsoleUse;
  /** With a hand-over: what it is for, as the user wrote it. */
  readonly purpose?: string;
}

/** "wave": to draw the wave of a recording that is being played. */
export type ConsoleUse = "save" | "hand-over" | "wave";

/** A sign-in whose credentials were checked. */
export interface SignInEntry extends Pick<
  AccessEntry,
  "timeMs" | "requestId" | "address" | "rows" | "status"
> {
  readonly operation: "createToken" | "console sign-in";
  /** The user who signed in; undefined when the sign-in failed. */
  readonly userId?: number | undefined;
  /** The secretID that was sent, shortened, or the id of the API key, if it is known. */
  readonly credential: string;
  readonly asked: Readonly<Record<string, never>>;
  readonly callIds: readonly never[];
}

/** The part of a recording that was sent: bytes `first` to `last`, both inclusive. */
export interface ReleasedRecording {
  /** SHA-256 of the whole recording. */
  readonly sha256: string;
  readonly first: number;
  readonly last: number;
}

/** What an operator's erasure has found. Its row is written before anything is erased; the command's last row says what was erased. */
export interface ErasureEntry {
  readonly timeMs: number;
  readonly operation: "purge";
  /** The name, on this machine, of the user who ran the command. */
  readonly operator: string;
  /** `before`, a day, or `undated` or `owed`, which is true, or `call_id` or `ref_id`, or the number of `call_ids`; `case`. */
  readonly asked: Readonly<Record<string, unknown>>;
  /** The requested call, or the calls that the reference found; empty for a day and for calls without a datetime. */
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
  /** The calls that it concerns, if it names them; default: none. */
  readonly callIds?: readonly string[];
  /**
   * A long command writes one row when it begins and another when it ends, unless it was killed. "done" if its row is written
   * together with its changes, or not at all. Absent in rows of version 1.0, and in rows in the middle of a run.
   */
  readonly outcome?: CommandOutcome;
  /** Why it failed or was refused, in one word: a `FaultReason`, a system error code, a signal, or the kind of the error. */
  readonly reason?: string;
  /** Counts of the results, such as imported rows. A failed command has the counts up to its failure. */
  readonly counts?: Readonly<Record<string, number>>;
  /** In all rows of one run of a command. */
  readonly run?: string;
}

/** The writer of records. `run` is the same as in all rows of the command in the access log. */
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
  | `hold ${"add" | "list" | "show" | "release"}`
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

/** Selects rows: all conditions must hold. Without conditions, every row. */
export interface AccessQuery {
  readonly sinceMs?: number | undefined;
  readonly userId?: number | undefined;
  readonly callId?: string | undefined;
  /** With `callId`: also the rows of these command runs, which added or replaced the call. */
  readonly runs?: readonly string[] | undefined;
  /** Rows of commands that have an outcome. */
  readonly hasOutcome?: true | undefined;
}

/** Selects the rows about one call, newest first. */
export interface CallQuery {
  readonly callId: string;
  readonly limit: number;
}

/** A row that does not follow from the one before, or cannot be read: a person or the disk has altered one of the two. */
export interface AlteredRow {
  readonly seq: number;
  readonly isAltered: true;
}

export type FoundRow = (LogRow & { readonly isAltered?: undefined }) | AlteredRow;

/** The newest row of the log. */
export interface ChainHead {
  readonly seq: number;
  readonly hash: string;
  /** The entry's time, in ms since 1970. */
  readonly timeMs: number;
}

/** The newest row, after it was noted. */
export interface WitnessedHead extends ChainHead {
  /** The reason why it could not be noted next to the recordings. */
  readonly unnoted?: string | undefined;
}

export interface ChainReport {
  /** The number of rows up to the fault, or of all rows. */
  readonly rows: number;
  /** The hash of the last of these; undefined for an empty log. */
  readonly lastHash: string | undefined;
  /** The first place where the log was changed, described as text; undefined if it was not changed. */
  readonly fault: string | undefined;
  /** The rows with operators' decisions to continue with a log that had lost rows, or with a new one. */
  readonly decisions: readonly RowOf<OperatorEntry>[];
  /** The row that was last noted next to the recordings; undefined if none is noted. */
  readonly noted?: ChainHead | undefined;
}

export interface ListsQuery extends CallQuery {
  readonly sinceMs: number;
  readonly isGone?: (() => boolean) | undefined;
}

export interface FoundLists {
  readonly count: number;
  /** From when on rows were read: later than asked for if there were too many. */
  readonly sinceMs: number;
  /** At most `limit` of them. */
  readonly rows: readonly FoundRow[];
}

export interface AccessLog {
  /** Identifies this log. A copy by `migrateArchive` has another id. */
  id(): Promise<string>;
  /** The row with this number as it is stored, default the newest; undefined if it does not exist. */
  find(seq?: number): Promise<ChainHead | undefined>;
  /**
   * Adds a row. With `isDurable` it resolves when the row would survive a power loss. Without it, rows are written
   * in groups, at most 100 ms later. It then waits only while the log is further behind or could not be written. Throws
   * `StoreFault` if this row or an earlier one cannot be written. The read must then be refused, and this row is dropped.
   */
  append(entry: AccessEntry | SignInEntry, isDurable: boolean): Promise<void>;
  /** Adds the row of an operator's command before its changes. The row is on the disk when this resolves. Throws `StoreFault`. */
  record(act: OperatorAct): Promise<void>;
  /** Writes to the log without adding a row. Throws if rows cannot be written, or if the archive no longer exists. */
  check(): Promise<void>;
  /** The rows in their order. Memory use does not grow with their number. */
  read(query: AccessQuery): AsyncIterable<LogRow>;
  /** The rows that name this call and no other, found by an index. `beforeSeq`: those before this row; default: the newest. */
  ofCall(
    query: CallQuery & { readonly beforeSeq?: number | undefined },
  ): Promise<readonly FoundRow[]>;
  /**
   * The rows since that time that name this call among others, and how many there are. Reads every row of that time, back to the last
   * million. Throws `StoreFault` once `isGone` says that nobody waits for it.
   */
  listsOf(query: ListsQuery): Promise<FoundLists>;
  /**
   * Notes the newest row in the records and next to the recordings, so that a later loss of rows is detected. Returns the row;
   * undefined without rows. The note may lag behind. Throws `StoreFault`, also if noted rows are missing.
   */
  witness(): Promise<WitnessedHead | undefined>;
  /**
   * Follows the chain of hashes from the first row, and looks for the row that was last noted. `knownHash` is a hash
   * that was noted earlier; the chain has to contain it.
   */
  verify(knownHash?: string): Promise<ChainReport>;
}
