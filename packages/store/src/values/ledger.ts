// The entries of the ledger: keyed hashes of what was erased, without any of its text. Each entry has the digest of the previous one. An
// entry is written before its rows are removed, so an archive that is behind its ledger is completed by reading it.
import { createHash } from "node:crypto";
import { ArchiveError } from "../port/faults.ts";
import type { EntryKind, LedgerHead, LedgerPlace } from "../port/ledger.ts";
import { toLater } from "./tombstones.ts";

/** 32 hexadecimal digits, and the last day that the mark applies to: see `Mark`. */
export type StoredMark = readonly [mark: string, untilDay: number | null];

/** Each mark once, with the later day. */
export function mergeMarks(marks: readonly StoredMark[]): readonly StoredMark[] {
  const merged = new Map<string, number | null>();
  for (const [mark, untilDay] of marks) merged.set(mark, toLater(merged.get(mark), untilDay));
  return [...merged];
}

const KINDS: readonly unknown[] = ["erased", "lifted", "owed", "settled"] satisfies EntryKind[];

export interface LedgerEntry {
  readonly erasure: number;
  /** SHA-256 of the previous entry; null for the first, and after an operator went on without the previous ones. */
  readonly previous: string | null;
  readonly archive: string;
  readonly kind: EntryKind;
  /** ISO 8601. */
  readonly at: string;
  readonly by: string;
  /** What was asked for; empty for an identifier, because that names a person. */
  readonly why: Readonly<Record<string, unknown>>;
  readonly marks: readonly StoredMark[];
  /** The marks of references that are owed, or settled. */
  readonly references?: readonly string[];
  /** The contents that no record names any more. */
  readonly sounds: readonly string[];
}

/** In `why` of an entry: nothing says which contents had the calls of its marks, because an earlier version erased them. */
export const UNLISTED = "unlisted";

/** What an entry says beyond its position in the ledger. */
export type Told = Pick<LedgerEntry, "kind" | "by" | "why" | "marks" | "references" | "sounds">;

/** As the setting `erasures` has it. */
export const toHeadText = ({ number, digest = "" }: LedgerHead): string => `${number} ${digest}`;

export function parseHead(text: string | undefined): LedgerHead {
  const [number = "0", digest = ""] = (text ?? "").split(" ");
  return { number: Number(number), digest: digest === "" ? undefined : digest };
}

export interface OwnLedger {
  readonly place: LedgerPlace;
  readonly archiveId: string;
}

/** Writes the next entry. Throws `ArchiveError` if another process has written one meanwhile. */
export async function appendEntry(
  { place, archiveId }: OwnLedger,
  { number, digest }: LedgerHead,
  told: Told,
): Promise<LedgerHead> {
  const { kind, by, why, marks, references, sounds } = told;
  const erasure = number + 1;
  const at = new Date().toISOString();
  const head = { erasure, previous: digest ?? null, archive: archiveId };
  const rest = { ...(references !== undefined && { references }), sounds };
  const entry: LedgerEntry = { ...head, kind, at, by, why, marks, ...rest };
  const text = `${JSON.stringify(entry)}\n`;
  if (await place.add(erasure, text)) return { number: erasure, digest: toDigest(text) };
  throw new ArchiveError(
    `${toName(place, erasure)} was written by another program meanwhile: run this again`,
  );
}

export interface Behind {
  readonly entries: readonly LedgerEntry[];
  readonly head: LedgerHead;
}

/**
 * The entries after those that the archive has applied. Throws `ArchiveError` for a ledger that lacks some, or belongs to another archive.
 */
export async function readBehind(
  { place, archiveId }: OwnLedger,
  known: LedgerHead,
): Promise<Behind> {
  const numbers = await place.list();
  const newest = Math.max(0, ...numbers.slice(-1));
  if (known.digest !== undefined) await checkKnown(place, known);
  const entries: LedgerEntry[] = [];
  let head = known;
  while (head.number < newest) {
    const number = head.number + 1;
    const text = await place.read(number);
    if (text === undefined) throw refuse(place, number, "is missing");
    const entry = parseEntry(text);
    if (entry?.erasure !== number) throw refuse(place, number, "is not what was written");
    if (entry.archive !== archiveId) throw refuse(place, number, "is of another archive");
    if (entry.previous !== (head.digest ?? null))
      throw refuse(place, number, `does not follow from ${toFile(number - 1)}`);
    entries.push(entry);
    head = { number, digest: toDigest(text) };
  }
  return { entries, head };
}

export interface Readable extends Behind {
  /** Why the other entries are passed over, in sentences. */
  readonly faults: readonly string[];
}

/** The same, but without the entries that cannot be used. For an operator who goes on without them. */
export async function readReadable(
  { place, archiveId }: OwnLedger,
  known: LedgerHead,
): Promise<Readable> {
  const numbers = new Set(await place.list());
  const newest = Math.max(known.number, ...numbers);
  const entries: LedgerEntry[] = [];
  const faults: string[] = [];
  for (let number = known.number + 1; number <= newest; number += 1) {
    const text = numbers.has(number) ? await place.read(number) : undefined;
    const entry = text === undefined ? undefined : parseEntry(text);
    const pass = (fault: string) => faults.push(`${toName(place, number)} ${fault}`);
    if (text === undefined) pass("is missing");
    else if (entry?.erasure !== number) pass("is not what was written");
    else if (entry.archive !== archiveId) pass("is of another archive");
    else entries.push(entry);
  }
  return { entries, faults, head: { number: newest, digest: undefined } };
}

async function checkKnown(place: LedgerPlace, { number, digest }: LedgerHead): Promise<void> {
  const text = await place.read(number);
  if (text === undefined)
    throw refuse(place, number, `is missing, and this archive knows ${number} erasures`);
  if (toDigest(text) !== digest)
    throw refuse(place, number, "is not the one that this archive knows");
}

/** Copies the entries after the number `known` that `to` lacks; returns their number. Throws `ArchiveError` if the two differ. */
export async function copyEntries(from: LedgerPlace, to: LedgerPlace, known = 0): Promise<number> {
  const there = new Set(await to.list());
  let copied = 0;
  for (const number of (await from.list()).filter((one) => one > known)) {
    const text = await from.read(number);
    if (text === undefined) throw refuse(from, number, "is missing");
    if (!there.has(number)) copied += Number(await to.add(number, text));
    if ((await to.read(number)) !== text)
      throw new ArchiveError(
        `${toName(to, number)} is another one than that in ${from.name}: one of the two archives went on by itself`,
      );
  }
  return copied;
}

/** The marks that remain after applying the entries in order. */
export function replay(entries: readonly LedgerEntry[]) {
  const left = new Map<string, number | null>();
  const lifted = new Set<string>();
  /** The marks that an older copy is to erase. */
  const erased = new Map<string, number | null>();
  for (const { kind, marks } of entries)
    for (const [mark, untilDay] of marks)
      if (kind === "lifted") {
        left.delete(mark);
        erased.delete(mark);
        lifted.add(mark);
      } else if (kind === "erased") {
        left.set(mark, toLater(left.get(mark), untilDay));
        erased.set(mark, toLater(erased.get(mark), untilDay));
      }
  return { left, lifted, erased };
}

export const toFile = (number: number): string => `${String(number).padStart(6, "0")}.json`;

export function parseFile(name: string): number | undefined {
  const [, number] = /^(\d{6,})\.json$/.exec(name) ?? [];
  return number === undefined ? undefined : Number(number);
}

const toName = (place: LedgerPlace, number: number) =>
  `the entry ${toFile(number)} of the ledger in ${place.name}`;

/** An entry is missing, or is not the one that belongs there. */
export class LedgerFault extends ArchiveError {
  readonly what: string;

  constructor(what: string) {
    super(`${what}: ${PUT_BACK}`);
    this.what = what;
  }
}

/** What to do about a `LedgerFault`. */
export const PUT_BACK =
  'put it back, from the folder "ledger" of a backup if there is one, or go on without it: "setup --without-ledger"';

const refuse = (place: LedgerPlace, number: number, fault: string) =>
  new LedgerFault(`${toName(place, number)} ${fault}`);

const toDigest = (text: string) => createHash("sha256").update(text).digest("hex");

function parseEntry(text: string): LedgerEntry | undefined {
  try {
    const entry: unknown = JSON.parse(text);
    return isEntry(entry) ? entry : undefined;
  } catch {
    return undefined;
  }
}

const isText = (value: unknown) => typeof value === "string";

function isEntry(value: unknown): value is LedgerEntry {
  if (typeof value !== "object" || value === null) return false;
  const { erasure, previous, archive, kind, marks, references, sounds }: Partial<LedgerEntry> =
    value;
  return (
    typeof erasure === "number" &&
    (previous === null || isText(previous)) &&
    isText(archive) &&
    KINDS.includes(kind) &&
    Array.isArray(marks) &&
    marks.every(isMark) &&
    (references === undefined || (Array.isArray(references) && references.every(isText))) &&
    Array.isArray(sounds) &&
    sounds.every(isText)
  );
}

const isMark = (value: unknown) =>
  Array.isArray(value) &&
  /^[0-9a-f]{32}$/.test(String(value[0])) &&
  (value[1] === null || Number.isSafeInteger(value[1]));
