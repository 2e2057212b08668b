// The states of a record as text and as JSON.
import type { Act, HistoryState, PastCall } from "@call-media/store";
import { toTimeName } from "@call-media/store/values";
import { toCounted } from "@call-media/terminal";

/** One complete state per line, newest first. */
export const toHistoryLines = (states: readonly HistoryState[]): string =>
  states.map((one) => JSON.stringify(toHistoryLine(one))).join("\n");

export const toHistoryLine = (one: HistoryState): object => {
  const { state, leg, brought, replaced, isCurrent } = one;
  return {
    current: isCurrent,
    ...(leg !== "" && { leg }),
    brought: toAct(brought),
    replaced: toAct(replaced),
    state: state ?? null,
  };
};

const toAct = (act: Act | undefined) =>
  act === undefined
    ? null
    : {
        at: new Date(act.atMs).toISOString(),
        by: act.operator,
        command: act.operation,
        run: act.run,
      };

/** The changes of each state to the one before, oldest first, separately for each leg. */
export function toHistoryText(name: string, states: readonly HistoryState[]): readonly string[] {
  const current = states.filter(({ isCurrent }) => isCurrent).length;
  const earlier = toCounted(states.length - current, "earlier state");
  const legs = [...Map.groupBy(states.toReversed(), ({ leg }) => leg)];
  const lines = legs.flatMap(([leg, own]) => [
    ...(legs.length > 1 ? [`leg ${leg}`] : []),
    ...toLegLines(own),
  ]);
  return [`${name}: ${toCounted(current, "record")}, ${earlier}`, ...lines];
}

interface Shown {
  readonly shown: readonly HistoryState[];
  /** All of the same history. */
  readonly states: readonly HistoryState[];
}

/** All fields of the shown states that have a value. `when`: of the moment at which they were there. */
export function toMomentText(
  name: string,
  { shown, states }: Shown,
  when: string,
): readonly string[] {
  // The states of a history are listed newest first.
  const isFirst = (one: HistoryState) => states.findLast(({ leg }) => leg === one.leg) === one;
  const lines = shown.flatMap((one) => [
    ...(shown.length > 1 ? [`leg ${one.leg}`] : []),
    toLine(one.brought, isFirst(one) ? "brought it" : "replaced an earlier state"),
    ...(one.state === undefined ? ["it is damaged"] : toValueLines(one.state)),
  ]);
  return [`${name}, ${when}: ${toCounted(shown.length, "record")}`, ...lines];
}

const toValueLines = (state: NonNullable<HistoryState["state"]>): readonly string[] => [
  ...Object.entries(toFields(state)).flatMap(([field, value]) =>
    value === "null" ? [] : [`${field}: ${value}`],
  ),
  ...toFiles(state).map((file) => `recording: ${toFileText(file)}`),
];

/** `states`: oldest first. */
function toLegLines(states: readonly HistoryState[]): string[] {
  const changes = states.flatMap((one, index) => {
    const before = index === 0 ? undefined : states[index - 1];
    return toChanges(before, one).map((change) => toLine(one.brought, change));
  });
  const last = states.at(-1);
  const end = last?.isCurrent === false ? [toLine(last.replaced, "replaced it by others")] : [];
  return [...changes, ...end];
}

const toLine = (act: Act | undefined, what: string): string =>
  act === undefined
    ? `before acts were kept  ${what}`
    : `${toTimeName(act.atMs)}  ${act.operation} by ${act.operator}  ${what}`;

function toChanges(before: HistoryState | undefined, now: HistoryState): string[] {
  if (now.state === undefined) return ["brought a state that is damaged"];
  if (before === undefined) return ["brought it"];
  if (before.state === undefined) return ["replaced a state that is damaged"];
  const [old, fields] = [toFields(before.state), toFields(now.state)];
  return [
    ...Object.keys({ ...old, ...fields })
      .filter((name) => old[name] !== fields[name])
      .map((name) => `${name}: ${old[name] ?? "null"} -> ${fields[name] ?? "null"}`),
    ...toFileChanges(toFiles(before.state), toFiles(now.state)),
  ];
}

interface PastFile {
  readonly filename: string;
  readonly type: string;
  readonly sha256: string;
}

const toFiles = (state: NonNullable<HistoryState["state"]>): readonly PastFile[] =>
  isCall(state)
    ? state.recordings.map(({ filename, media: { type, sha256 } }) => ({ filename, type, sha256 }))
    : [];

/** A line for each file: removed ones, added ones, and a note if the order of the others changed. */
function toFileChanges(old: readonly PastFile[], now: readonly PastFile[]): readonly string[] {
  const without = (files: readonly PastFile[], others: readonly PastFile[]) => {
    const known = new Set(others.map(toFileText));
    return files.filter((file) => !known.has(toFileText(file)));
  };
  const [gone, come] = [without(old, now), without(now, old)];
  const isReordered = old.map(toFileText).join() !== now.map(toFileText).join();
  if (gone.length + come.length === 0)
    return isReordered ? ["recordings in another order or number"] : [];
  return [
    ...gone.map((file) => `recording removed: ${toFileText(file)}`),
    ...come.map((file) => `recording added: ${toFileText(file)}`),
  ];
}

const toFileText = ({ filename, type, sha256 }: PastFile) =>
  `${JSON.stringify(filename)}, ${type}, SHA-256 ${sha256}`;

/** The values as JSON, by field name. */
function toFields(state: NonNullable<HistoryState["state"]>): Readonly<Record<string, string>> {
  const given: Record<string, unknown> = isCall(state)
    ? {
        ...state.record,
        session_id: state.sessionId ?? null,
        master_id: state.masterId ?? null,
      }
    : { ...state };
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => [name, JSON.stringify(value ?? null)]),
  );
}

const isCall = (state: object): state is PastCall => "record" in state;
