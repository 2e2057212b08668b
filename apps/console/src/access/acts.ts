// Turns the rows of a call's access log into acts of people: one look is one act, however many requests it took.

/** A row as the service answers it (D40). */
export interface Row {
  readonly seq: number;
  /** True in place of everything else: the log was altered there. */
  readonly isAltered?: true;
  readonly time?: string;
  readonly user?: string;
  readonly by?: By;
  readonly operation?: string;
  readonly request?: string;
  readonly status?: number;
  readonly hasRecords?: boolean;
  readonly recording?: Partial<ReleasedBytes>;
  /** The second row of a request that was broken off, with what was sent. */
  readonly isCut?: true;
  readonly isHandedOut?: true;
  readonly use?: "save" | "wave" | "hand-over";
  readonly purpose?: string;
}

export type By = "console" | "program" | "command";

interface ReleasedBytes {
  /** The number of the recording in its call. */
  readonly part: number;
  readonly from: number;
  readonly to: number;
  readonly of: number;
  readonly seconds: number;
}

export type Kind =
  | "handedOver"
  | "saved"
  | "listened"
  | "drawn"
  | "looked"
  | "listed"
  | "asked"
  | "refused"
  | "access"
  | "command"
  | "altered";

/** The parts of a call that a look showed. */
export type Shown = "fields" | "chat" | "url";

/** A place in a recording, both ends as shares of its bytes. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** The spans of one recording that were sent. A recording that is gone has none. */
export interface Heard {
  readonly part: number | undefined;
  readonly seconds: number | undefined;
  readonly spans: readonly Span[];
}

export interface Act {
  readonly seq: number;
  /** The time of its newest request. */
  readonly time: string | undefined;
  readonly user: string;
  readonly by: By | undefined;
  readonly kind: Kind;
  readonly shown: ReadonlySet<Shown>;
  readonly heard: readonly Heard[];
  /** True if the page also read a recording to draw its wave. */
  readonly isDrawn: boolean;
  readonly purpose: string | undefined;
  readonly operation: string | undefined;
  readonly status: number | undefined;
}

interface Open extends Act {
  readonly sinceMs: number;
}

// Rows of the same user and kind that are closer than this are one act.
const PAUSE_MS = 10 * 60_000;

/** `rows`: newest first. */
export function toActs(rows: readonly Row[]): readonly Act[] {
  const cut = new Set(rows.filter(({ isCut }) => isCut).map(({ request }) => request));
  const acts: Open[] = [];
  for (const row of rows) {
    // This row names more bytes than were sent.
    if (row.request !== undefined && row.isCut !== true && cut.has(row.request)) continue;
    const act = toAct(row);
    const at = acts.findIndex((one) => isSame(one, act) && one.sinceMs - act.sinceMs <= PAUSE_MS);
    const known = acts[at];
    if (known === undefined) acts.push(act);
    else acts[at] = join(known, act);
  }
  return foldWaves(acts);
}

const isSame = (one: Act, other: Act): boolean =>
  one.kind !== "altered" &&
  one.kind === other.kind &&
  one.user === other.user &&
  one.by === other.by &&
  one.purpose === other.purpose &&
  one.status === other.status &&
  (one.kind === "listened" || one.kind === "looked" || one.operation === other.operation);

function join(one: Open, earlier: Open): Open {
  const { sinceMs } = earlier;
  const shown = new Set([...one.shown, ...earlier.shown]);
  return { ...one, sinceMs, shown, heard: joinHeard([...one.heard, ...earlier.heard]) };
}

function joinHeard(all: readonly Heard[]): readonly Heard[] {
  const byPart = Map.groupBy(all, ({ part }) => part);
  return [...byPart.values()]
    .map(([first, ...others]): Heard => ({
      part: first?.part,
      seconds: first?.seconds,
      spans: joinSpans([first, ...others].flatMap((one) => one?.spans ?? [])),
    }))
    .toSorted((a, b) => (a.part ?? Infinity) - (b.part ?? Infinity));
}

function joinSpans(spans: readonly Span[]): readonly Span[] {
  const joined: Span[] = [];
  for (const span of spans.toSorted((a, b) => a.from - b.from)) {
    const last = joined.at(-1);
    if (last === undefined || span.from > last.to) joined.push(span);
    else joined[joined.length - 1] = { from: last.from, to: Math.max(last.to, span.to) };
  }
  return joined;
}

/** Joins the drawing of a wave with the listening at the same time. */
function foldWaves(acts: readonly Open[]): readonly Act[] {
  const isBeside = (wave: Open, act: Open) =>
    act.kind === "listened" &&
    act.user === wave.user &&
    toMs(act.time) + PAUSE_MS >= wave.sinceMs &&
    act.sinceMs - PAUSE_MS <= toMs(wave.time);
  const waves = acts.filter(({ kind }) => kind === "drawn");
  return acts.flatMap((act) => {
    if (act.kind === "drawn" && acts.some((one) => isBeside(act, one))) return [];
    return { ...act, isDrawn: waves.some((wave) => isBeside(wave, act)) };
  });
}

const toMs = (time: string | undefined): number => Date.parse(time ?? "");

function toAct(row: Row): Open {
  const { seq, time, user = "", by, purpose, operation, status } = row;
  const kind = toKind(row);
  const heard = kind === "refused" ? [] : toHeard(row);
  return {
    seq,
    time,
    sinceMs: toMs(time),
    user,
    by,
    kind,
    shown: new Set(kind === "looked" || kind === "handedOver" ? toShown(row) : []),
    heard,
    isDrawn: false,
    purpose,
    operation: kind === "command" || kind === "saved" ? operation : undefined,
    status: kind === "refused" ? status : undefined,
  };
}

function toKind({ isAltered, operation = "", by, status = 0, hasRecords, ...row }: Row): Kind {
  if (isAltered) return "altered";
  if (by === "command") return "command";
  if (operation === "console access") return status === 403 ? "refused" : "access";
  if (status >= 400) return "refused";
  if (row.use === "hand-over") return "handedOver";
  const isSound = row.recording !== undefined || row.isHandedOut === true;
  if (isSound && row.use === "wave") return "drawn";
  if (isSound) return row.use === "save" || by === "program" ? "saved" : "listened";
  if (operation.startsWith("search")) return "listed";
  return hasRecords || /Recording|Chat/.test(operation) ? "looked" : "asked";
}

function toShown({ operation = "", isHandedOut }: Row): readonly Shown[] {
  if (isHandedOut) return ["url"];
  if (operation.startsWith("getChat")) return ["chat"];
  return operation.startsWith("getMetadata") || operation.startsWith("search") ? ["fields"] : [];
}

function toHeard({ recording }: Row): readonly Heard[] {
  if (recording === undefined) return [];
  const { part, from, to, of, seconds } = recording;
  const isKnown = from !== undefined && to !== undefined && of !== undefined;
  return [{ part, seconds, spans: isKnown ? [{ from: from / of, to: to / of }] : [] }];
}

// The ends of a file have no sound: a header, or a table.
const WHOLE = 0.98;

export const isWhole = ({ spans }: Heard): boolean =>
  spans.length === 1 && spans.every(({ from, to }) => to - from >= WHOLE);

/** How often each user did what, in the order of the acts. */
export function toPeople(acts: readonly Act[]): ReadonlyMap<string, ReadonlyMap<Kind, number>> {
  const people = new Map<string, Map<Kind, number>>();
  for (const { user, kind } of acts) {
    if (kind === "altered") continue;
    const done = people.get(user) ?? new Map<Kind, number>();
    people.set(user, done.set(kind, (done.get(kind) ?? 0) + 1));
  }
  return people;
}
