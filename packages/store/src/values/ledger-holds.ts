// The holds in the ledger: one text for each, outside the database, so that an archive that is set back keeps what was held. A release
// overwrites the text with the name and the date, because a hold names people.
import { createHash } from "node:crypto";
import type { Act } from "../port/history.ts";
import type { LedgerPlace } from "../port/ledger.ts";
import { checkNewName } from "./holds.ts";
import { LedgerFault, type OwnLedger } from "./ledger.ts";

/** `asked`: see `StoredHold`. `callIds`: what it holds whatever the records say, in the order of their bytes. */
export interface LedgerHold {
  readonly name: string;
  readonly reason: string;
  readonly asked: string | null;
  readonly added: Act;
  readonly callIds: readonly string[];
}

/** All that is left of a hold. */
interface Released {
  readonly name: string;
  readonly releasedMs: number;
  /** Its text was damaged: nobody released it, and any other text of it is newer. */
  readonly isLost?: true;
}

const toLost = (name: string): Released => ({ name, releasedMs: 0, isLost: true });

export type Told = LedgerHold | Released;

const isReleased = (told: Told): told is Released => "releasedMs" in told;

const toMs = (told: Told): number => (isReleased(told) ? told.releasedMs : told.added.atMs);

const FILE = /^hold-[\w.-]{1,80}\.json$/;

export const isHoldFile = (name: string): boolean => FILE.test(name);

const toFile = (name: string) => `hold-${name}.json`;

interface StoredText {
  readonly hold: string;
  readonly archive: string;
  readonly released?: string;
  readonly lost?: true;
  readonly reason?: string;
  readonly query?: unknown;
  readonly call_ids?: readonly string[];
  readonly added?: {
    readonly at: string;
    readonly by: string;
    readonly operation: string;
    readonly run?: string;
  };
  /** Of the text without it. */
  readonly sha256?: string;
}

function toText(told: Told, archive: string): string {
  const text = toStored(told, archive);
  return `${JSON.stringify({ ...text, sha256: toDigest(text) })}\n`;
}

function toStored(told: Told, archive: string): StoredText {
  const own = { hold: told.name, archive };
  if (isReleased(told))
    return { ...own, released: toIso(told.releasedMs), ...(told.isLost && { lost: true }) };
  const { reason, asked, callIds, added } = told;
  const { atMs, operator, operation, run } = added;
  const query: unknown = asked === null ? null : JSON.parse(asked);
  const by = { at: toIso(atMs), by: operator, operation, ...(run !== undefined && { run }) };
  return { ...own, reason, query, call_ids: callIds, added: by };
}

const toIso = (ms: number) => new Date(ms).toISOString();

const toDigest = (text: StoredText) =>
  createHash("sha256").update(JSON.stringify(text)).digest("hex");

/** Undefined if the text is not what was written. */
function parse(given: string): { readonly told: Told; readonly archive: string } | undefined {
  const stored = parseJson(given);
  if (stored === undefined) return undefined;
  const { sha256, ...text } = stored;
  if (sha256 !== toDigest(text)) return undefined;
  const { hold: name, archive, reason = "", query, call_ids: callIds = [], added } = text;
  if (text.lost === true) return { told: toLost(name), archive };
  if (text.released !== undefined)
    return { told: { name, releasedMs: Date.parse(text.released) }, archive };
  if (added === undefined) return undefined;
  const { at, by: operator, ...act } = added;
  const asked = query === null ? null : JSON.stringify(query);
  return {
    told: { name, reason, asked, callIds, added: { atMs: Date.parse(at), operator, ...act } },
    archive,
  };
}

/** The digest says that the text has the form in which it was written. */
function parseJson(text: string): StoredText | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as StoredText) : undefined;
  } catch {
    return undefined;
  }
}

export interface ReadHolds {
  /** By their names. */
  readonly told: ReadonlyMap<string, Told>;
  readonly faults: readonly FaultyText[];
}

export const NO_HOLDS: ReadHolds = { told: new Map(), faults: [] };

interface FaultyText {
  readonly file: string;
  readonly what: string;
}

/** `faults`: of the texts that cannot be used. */
export async function readReadableHolds({ place, archiveId }: OwnLedger): Promise<ReadHolds> {
  const told = new Map<string, Told>();
  const faults: FaultyText[] = [];
  for (const { file, text } of await place.listHolds()) {
    const pass = (fault: string) =>
      faults.push({ file, what: `the hold ${file} of the ledger in ${place.name} ${fault}` });
    const found = parse(text);
    if (found === undefined || toFile(found.told.name) !== file) pass("is not what was written");
    else if (found.archive !== archiveId) pass("is of another archive");
    else told.set(found.told.name, found.told);
  }
  return { told, faults };
}

/** Throws `LedgerFault` for a text that was damaged, or belongs to another archive. */
export async function readHolds(own: OwnLedger): Promise<ReadHolds["told"]> {
  const { told, faults } = await readReadableHolds(own);
  for (const { what } of faults) throw new LedgerFault(what);
  return told;
}

/**
 * The archive may lack a hold of its ledger. Throws `ArchiveError` for a name that one has, and `LedgerFault` for one whose text is damaged:
 * a new hold would replace it.
 */
export function checkNewFile(name: string, { told, faults }: ReadHolds): void {
  checkNewName(
    name,
    [...told.values()].filter((one) => !isReleased(one)),
  );
  const own = toFile(name).toLowerCase();
  for (const { file, what } of faults) if (file.toLowerCase() === own) throw new LedgerFault(what);
}

/**
 * For an operator who goes on without the texts that cannot be used: each is replaced by what the archive has of the hold, or says that it
 * is lost. Returns their faults, in sentences.
 */
export async function skipHolds(
  ledger: OwnLedger,
  own: readonly LedgerHold[],
): Promise<readonly string[]> {
  const { faults } = await readReadableHolds(ledger);
  const sentences: string[] = [];
  for (const fault of faults) {
    const hold = own.find(({ name }) => toFile(name) === fault.file);
    await putHold(ledger, hold ?? toLost(toHoldName(fault)));
    sentences.push(hold === undefined ? toLostText(fault) : fault.what);
  }
  return sentences;
}

/** The texts of `from` that cannot be used and that `to` does not have otherwise, in sentences. */
export async function listLost(from: OwnLedger, to: LedgerPlace): Promise<readonly string[]> {
  const { faults } = await readReadableHolds(from);
  const there = new Set((await to.listHolds()).map(({ file }) => file));
  return faults.filter(({ file }) => !there.has(file)).map(toLostText);
}

const toHoldName = ({ file }: FaultyText) => file.slice("hold-".length, -".json".length);

const toLostText = (fault: FaultyText) =>
  `${fault.what}, and the archive has no hold ${toHoldName(fault)}, which keeps nothing now: put the file back from another backup, or add the hold again`;

export const putHold = async ({ place, archiveId }: OwnLedger, told: Told): Promise<void> => {
  // In a bucket an earlier version of a lost one may be whole.
  const forgets = isReleased(told) && told.isLost !== true;
  await place.putHold(toFile(told.name), toText(told, archiveId), forgets);
};

/** Copies the holds that `to` lacks, or has in an earlier state. Passes over damaged ones. */
export async function copyHolds(
  from: LedgerPlace,
  to: LedgerPlace,
  archiveId: string,
): Promise<void> {
  const { told } = await readReadableHolds({ place: from, archiveId });
  const there = await readReadableHolds({ place: to, archiveId });
  for (const one of told.values()) {
    const known = there.told.get(one.name);
    const next = known === undefined ? one : toNewer(known, one);
    if (known === undefined || !isSame(known, next)) await putHold({ place: to, archiveId }, next);
  }
}

const isSame = (one: Told, other: Told): boolean => toText(one, "") === toText(other, "");

/** Of the same hold, what both hold. */
function toNewer(one: Told, other: Told): Told {
  if (isReleased(one) || isReleased(other) || !isOfOneAdd(one, other))
    return toMs(other) > toMs(one) ? other : one;
  return { ...one, callIds: toUnion(one.callIds, other.callIds) };
}

const isOfOneAdd = (one: LedgerHold, other: LedgerHold): boolean =>
  one.added.atMs === other.added.atMs && one.asked === other.asked && one.reason === other.reason;

/** In the order of their bytes. */
export const toUnion = (one: Iterable<string>, other: Iterable<string>): readonly string[] =>
  [...new Set([...one, ...other])].toSorted((a, b) =>
    Buffer.compare(Buffer.from(a), Buffer.from(b)),
  );

/** What makes an archive and its ledger agree on the holds. One too many harms nothing, one too few does. */
export interface HoldChanges {
  /** The archive lacks these, or has others of their names. */
  readonly added: readonly LedgerHold[];
  /** The names of those of the archive that were released. */
  readonly released: readonly string[];
  /** The archive lacks some of their call_ids. */
  readonly widened: readonly LedgerHold[];
  /** The ledger lacks these, or some of their call_ids. */
  readonly told: readonly LedgerHold[];
}

export const hasChanges = ({ added, released, widened, told }: HoldChanges): boolean =>
  added.length + released.length + widened.length + told.length > 0;

/** `own`: the holds of the archive. */
export function compareHolds(
  own: readonly LedgerHold[],
  inLedger: ReadonlyMap<string, Told>,
): HoldChanges {
  const names = new Set(own.map(({ name }) => name));
  const absent = [...inLedger.values()].flatMap((one) =>
    isReleased(one) || names.has(one.name) ? [] : [one],
  );
  const taken = new Set([...names, ...inLedger.keys()].map((name) => name.toLowerCase()));
  const changes = own.map((hold) => compare(hold, inLedger.get(hold.name), taken));
  const list = (key: keyof HoldChange) => changes.flatMap((one) => one[key] ?? []);
  return {
    added: [...absent, ...list("added")],
    released: list("released").map(({ name }) => name),
    widened: list("widened"),
    told: list("told"),
  };
}

type HoldChange = Partial<Record<keyof HoldChanges, readonly LedgerHold[]>>;

/** `taken`: the names of all holds, in lower case. */
function compare(hold: LedgerHold, there: Told | undefined, taken: Set<string>): HoldChange {
  if (there === undefined) return { told: [hold] };
  if (isReleased(there) || !isOfOneAdd(hold, there)) {
    const isLater = toMs(there) < hold.added.atMs;
    if (isReleased(there)) return isLater ? { told: [hold] } : { released: [hold] };
    if (!isLater) return { added: [there] };
    // A hold that came after it was added while the ledger could not be reached. Neither takes the place of the other.
    const renamed = { ...hold, name: toFreeName(hold.name, taken) };
    return { added: [there, renamed], told: [renamed] };
  }
  const callIds = toUnion(hold.callIds, there.callIds);
  return {
    ...(callIds.length > hold.callIds.length && { widened: [{ ...hold, callIds }] }),
    ...(callIds.length > there.callIds.length && { told: [{ ...hold, callIds }] }),
  };
}

const MAX_NAME = 80;

function toFreeName(name: string, taken: Set<string>): string {
  for (let number = 2; ; number += 1) {
    const ending = `-${number}`;
    const free = name.slice(0, MAX_NAME - ending.length) + ending;
    if (taken.has(free.toLowerCase())) continue;
    taken.add(free.toLowerCase());
    return free;
  }
}

/** A time after what the ledger says of an earlier hold of this name: clocks may have been set back. */
export const toLaterMs = (earlier: Told | undefined, nowMs: number): number =>
  earlier === undefined ? nowMs : Math.max(nowMs, toMs(earlier) + 1);
