// Earlier states of calls, users and flags. A state is stored as the fields in which it differs from the state that replaced it, and
// reconstructed from these.
import { fieldsOf } from "@call-media/api";
import type { Writer } from "../port/access-log.ts";
import type { Act, HistoryState, PastCall } from "../port/history.ts";
import type { MetadataRecord, Recording } from "../port/index.ts";
import { readWhole } from "./damaged-records.ts";
import { isUndeclared, toDeclaredIdentity } from "./identity.ts";
import { parseStored } from "./record-form.ts";
import { isEqual } from "./row-digest.ts";

/** For an import that does not say who runs it. */
export const UNKNOWN_WRITER: Writer = { operation: "import", operator: "unknown" };

/** The tables of earlier states, and of the acts that wrote them; archives of earlier versions lack them. */
export const LIFE_TABLES = ["act", "version", "version_recording"] as const;

export interface StoredVersion {
  readonly kind: "call" | "user" | "flag";
  /** The call_id, or the id of the user or flag. */
  readonly name: string;
  /** The identity of the leg, as the call has it: see identity.ts. */
  readonly identity: Uint8Array | null;
  /** The digest that the call had; null for a user or flag. */
  readonly state: Uint8Array | null;
  /** The act that added it; null if unknown. */
  readonly act: number | null;
  /** The act that replaced it. */
  readonly until: number;
  /** True if `was` has the complete state, because several records were replaced together, or by another leg. */
  readonly isWhole: boolean;
  /** JSON: for a call its `Difference`, for others the record; null if it was damaged when it was replaced. */
  readonly was: string;
  /** The recordings, if the difference says that the state has its own; otherwise empty. */
  readonly recordings: readonly Recording[];
}

/** The fields that had other values, and the additional names if they differed. */
interface Difference {
  readonly fields: Readonly<Record<string, unknown>>;
  readonly linked?: Linked;
  /** Set if its recordings differed from those of the next state, or if that is another leg. */
  readonly hasFiles?: true;
}

type Linked = readonly [sessionId: string | null, masterId: string | null];

/** The state of a replaced call that is stored and can be reconstructed. */
export type CallState = Omit<PastCall, "identity">;

/** A replaced call, as the archive has it. Its record throws if it is damaged. */
export interface Replaced extends CallState {
  readonly marks: {
    readonly callId: string | null;
    readonly identity: Uint8Array | null;
    readonly digest: Uint8Array;
  };
  readonly act?: number | null;
}

/** `after`: the state that replaces it, if that is the same leg. */
export function toCallVersion(
  gone: Replaced,
  { until, after }: { readonly until: number; readonly after: CallState | undefined },
): StoredVersion {
  const { callId, identity, digest } = gone.marks;
  const hasFiles = after === undefined || toFiles(gone.recordings) !== toFiles(after.recordings);
  return {
    kind: "call",
    name: callId ?? "",
    identity,
    state: digest,
    act: gone.act ?? null,
    until,
    isWhole: after === undefined,
    was: JSON.stringify(readWhole(() => toDifference(gone, after, hasFiles)) ?? null),
    recordings: hasFiles ? gone.recordings : [],
  };
}

const FIELDS = fieldsOf("MetadataRecord");

function toDifference(
  gone: CallState,
  after: CallState | undefined,
  hasFiles: boolean,
): Difference {
  const { record } = gone;
  const [before, now] = [toLinked(gone), after && toLinked(after)];
  // Includes the fields that a newer program has stored.
  const names = Object.keys({ ...record, ...after?.record }) as (keyof MetadataRecord)[];
  const fields = names
    .filter((name) => (record[name] ?? null) !== (after?.record[name] ?? null))
    .map((name) => [name, record[name] ?? null]);
  const isLinked = JSON.stringify(before) !== JSON.stringify(now ?? [null, null]);
  return {
    fields: Object.fromEntries(fields),
    ...(isLinked && { linked: before }),
    ...(hasFiles && { hasFiles }),
  };
}

const toLinked = ({ sessionId, masterId }: CallState): Linked => [
  sessionId ?? null,
  masterId ?? null,
];

const toFiles = (recordings: readonly Recording[]): string =>
  JSON.stringify(
    recordings.map(({ filename, startMs, media: { sha256, type, modifiedMs } }) => [
      filename,
      startMs ?? null,
      sha256,
      type,
      modifiedMs,
    ]),
  );

interface ReplacedPerson {
  readonly text: string;
  readonly isDamaged?: boolean | undefined;
  readonly act?: number | null;
}

/** `until`: the act that replaces it. */
export function toPersonVersion(
  { kind, id }: { readonly kind: "user" | "flag"; readonly id: number },
  { text, isDamaged, act = null }: ReplacedPerson,
  until: number,
): StoredVersion {
  return {
    kind,
    name: String(id),
    identity: null,
    state: null,
    act,
    until,
    isWhole: true,
    was: isDamaged === true ? "null" : text,
    recordings: [],
  };
}

/** A state of a leg: the current one, or a replaced one. */
export interface LegState<State> {
  /** Undefined if it, or the state after it, is damaged. */
  readonly state: State | undefined;
  readonly identity: Uint8Array | null;
  readonly act: number | null;
  /** Undefined for the current state. */
  readonly until: number | undefined;
}

/** A leg in its current state. */
export interface CurrentLeg {
  /** Undefined if it is damaged. */
  readonly state: CallState | undefined;
  readonly identity: Uint8Array | null;
  readonly act: number | null;
}

/**
 * All states of a call, newest first. `versions`: of one call, newest first. `toDigest`: of a state, to compare it with the digest
 * that it had.
 */
export function listCallStates(
  current: readonly CurrentLeg[],
  versions: readonly StoredVersion[],
  toDigest: (state: CallState) => Uint8Array,
): readonly LegState<CallState>[] {
  const legs = new Map(current.map(({ identity, state }) => [toKey(identity), state]));
  const earlier = versions.map(({ identity, act, until, ...version }): LegState<CallState> => {
    const key = toKey(identity);
    const after = version.isWhole ? EMPTY : legs.get(key);
    const found = after && readWhole(() => makeState(version, after));
    const isSame = found && readWhole(() => isEqual(version.state, toDigest(found)));
    const state = isSame === true ? found : undefined;
    legs.set(key, state);
    return { state, identity, act, until };
  });
  return [...current.map((one) => ({ ...one, until: undefined })), ...earlier];
}

/**
 * The same versions without their recordings, for a call whose recordings are erased (D41): the states still name the files. Undefined for
 * a state that cannot be reconstructed. `current`: with the recordings.
 */
export function toSoundless(
  current: readonly CurrentLeg[],
  versions: readonly StoredVersion[],
  toDigest: (state: CallState) => Uint8Array,
): readonly (StoredVersion | undefined)[] {
  const legs = new Map(current.map(({ identity, state }) => [toKey(identity), toSilent(state)]));
  const states = listCallStates(current, versions, toDigest).slice(current.length);
  return versions.map((version, index) => {
    const { name, identity, act, until, isWhole } = version;
    const key = toKey(identity);
    const after = isWhole ? undefined : legs.get(key);
    const state = toSilent(states[index]?.state);
    legs.set(key, state);
    if (state === undefined) return undefined;
    const marks = { callId: name, identity, digest: toDigest(state) };
    return toCallVersion({ ...state, marks, act }, { until, after });
  });
}

const toSilent = (state: CallState | undefined): CallState | undefined =>
  state && { ...state, recordings: [] };

const toKey = (identity: Uint8Array | null) => Buffer.from(identity ?? []).toString("hex");

const NO_FIELDS = Object.fromEntries(FIELDS.map((field) => [field, null]));

const EMPTY: CallState = {
  record: NO_FIELDS as unknown as MetadataRecord, // all of its fields, which may be null
  recordings: [],
};

function makeState(
  { was, recordings }: Pick<StoredVersion, "was" | "recordings">,
  after: CallState,
): CallState | undefined {
  const difference: Difference | null = parseStored(was);
  if (difference === null) return undefined;
  const [sessionId, masterId] = difference.linked ?? toLinked(after);
  return {
    record: { ...after.record, ...difference.fields },
    sessionId: sessionId ?? undefined,
    masterId: masterId ?? undefined,
    recordings: difference.hasFiles === true ? recordings : after.recordings,
  };
}

/** All states of a user or a flag, newest first. `current`: undefined if it is damaged. */
export function listPersonStates(
  current: Pick<LegState<unknown>, "state" | "act">,
  versions: readonly StoredVersion[],
): readonly LegState<unknown>[] {
  const earlier = versions.map(({ was, act, until }) => {
    const state = readWhole((): unknown => parseStored(was)) ?? undefined;
    return { state, identity: null, act, until };
  });
  return [{ ...current, identity: null, until: undefined }, ...earlier];
}

/** `acts`: those of the archive, by their ids. `isWhole`: true if no row of the replaced states is damaged or missing. */
export const toHistory = (
  states: readonly LegState<unknown>[],
  acts: ReadonlyMap<number, Act>,
  isWhole: boolean,
): readonly HistoryState[] =>
  states.map(({ state, identity, act, until }) => ({
    state: state === undefined ? undefined : toPast(state, identity),
    leg: toLeg(identity),
    brought: acts.get(act ?? 0),
    replaced: acts.get(until ?? 0),
    isCurrent: until === undefined,
    isWhole:
      isWhole && state !== undefined && [act ?? [], until ?? []].flat().every((id) => acts.has(id)),
  }));

const toPast = (state: unknown, identity: Uint8Array | null) => {
  const declared = readWhole(() => toDeclaredIdentity(identity));
  return { ...(state as PastCall), ...(declared !== undefined && { identity: declared }) };
};

const toLeg = (identity: Uint8Array | null): string => {
  if (identity === null) return "";
  return isUndeclared(identity) ? toKey(identity) : Buffer.from(identity).toString().trim();
};
