// Loaded before a program (NODE_OPTIONS): names each call of its threads to files and to SQLite, and spoils one of them.
import fs from "node:fs";
import promises from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import { basename } from "node:path";
import sqlite from "node:sqlite";
import { getEnvironmentData, setEnvironmentData } from "node:worker_threads";
import { type Fault, type FaultKind, SPOILABLE } from "./faults.ts";

const fault = JSON.parse(process.env["CALL_MEDIA_FAULT"] ?? "null") as Fault | null;

// Shared by all threads: whether calls count, how many of the name were made, and whether the disk is full by now.
const KEY = "call-media-fault";
const [ARMED, MADE, IS_FULL] = [0, 1, 2] as const;
const state = new Int32Array(toShared());

function toShared(): SharedArrayBuffer {
  const given = getEnvironmentData(KEY);
  if (given instanceof SharedArrayBuffer) return given;
  const made = new SharedArrayBuffer(12);
  setEnvironmentData(KEY, made);
  return made;
}

/** From now on calls count. */
export const arm = () => void Atomics.store(state, ARMED, 1);

const { writeSync } = fs;

/** Tells the program that started this one; it has left when this returns, whatever comes then. */
export const say = (...line: readonly unknown[]): void => {
  let left = Buffer.from(`${JSON.stringify(line)}\n`);
  while (left.length > 0)
    try {
      left = left.subarray(writeSync(1, left));
    } catch (error) {
      // The pipe is full: whoever reads it is behind.
      if (!(error instanceof Error && "code" in error && error.code === "EAGAIN")) throw error;
    }
};

/** The kind of the fault that is to happen to this call. */
function meet(name: string): FaultKind | undefined {
  if (Atomics.load(state, ARMED) === 0) return undefined;
  if (fault === null) say("call", name);
  if (fault?.call === name && Atomics.add(state, MADE, 1) + 1 === fault.nth) {
    say("met");
    if (fault.kind === "full") Atomics.store(state, IS_FULL, 1);
    return fault.kind;
  }
  return Atomics.load(state, IS_FULL) === 1 && SPOILABLE.full?.test(name) ? "full" : undefined;
}

type Given = readonly unknown[];
type Make = (...given: Given) => unknown;
type Method = (this: unknown, ...given: Given) => unknown;

interface Means {
  readonly toName?: (self: unknown, given: Given) => string;
  readonly toError?: (kind: FaultKind, name: string) => Error;
  /** How it is made in part, or with another bit; without, it fails. */
  readonly tear?: (make: Make, given: Given) => unknown;
  readonly flip?: (make: Make, given: Given) => unknown;
  /** What it gives in place of an error. */
  readonly failing?: unknown;
  /** Whether a call counts; default: all. */
  readonly isMeant?: (given: Given, self: unknown) => boolean;
  /** Whether what it throws is a rejection. */
  readonly isAsync?: boolean;
}

// Node.js loads modules by the same functions.
const folder = process.env["CALL_MEDIA_FAULT_IN"] ?? "";
const ofPath = (method: string): Means => ({
  isMeant: ([path]) => String(path).startsWith(folder),
  toName: (_, [path]) => `${method} ${toFileName(String(path))}`,
});

/** Without what is random in it. */
const toFileName = (path: string) =>
  basename(path)
    .replace(/^[0-9a-f]{2}$/, "xx")
    .replace(/[0-9a-f]{64}/, "sha256")
    .replace(/\.?[0-9a-f-]*\d[0-9a-f-]*(?=\.part)/, "");

function spoil(owner: object, method: string, means: Means = {}): void {
  const { toName = () => method, toError = toSystemError, isMeant = () => true } = means;
  const fail = (error: Error) => {
    if (means.isAsync) return Promise.reject(error);
    throw error;
  };
  const methods = owner as Record<string, Method>;
  const original = methods[method];
  if (original === undefined) throw new Error(`there is no ${method}`);
  methods[method] = function (...given) {
    const name = toName(this, given);
    const kind = isMeant(given, this) ? meet(name) : undefined;
    const make = (...again: Given) => killing(() => original.apply(this, [...again]));
    if (kind === undefined) return make(...given);
    if (kind === "kill") process.kill(process.pid, "SIGKILL");
    if (kind === "tear" && means.tear !== undefined) return means.tear(make, given);
    if (kind === "flip" && means.flip !== undefined) return means.flip(make, given);
    if ("failing" in means) return means.failing;
    return fail(toError(kind, name));
  };
}

/** Of "cut and kill", what the system refuses is the moment. */
function killing(make: () => unknown): unknown {
  if (fault?.kind !== "cut and kill") return make();
  const die = (error: unknown) => {
    if (Atomics.load(state, ARMED) === 1 && isRefused(error)) process.kill(process.pid, "SIGKILL");
    throw error;
  };
  try {
    const made = make();
    return made instanceof Promise ? made.catch(die) : made;
  } catch (error) {
    return die(error);
  }
}

const isRefused = (error: unknown) =>
  error instanceof Error &&
  (("code" in error && error.code === "EFBIG") || ("errcode" in error && isDisk(error.errcode)));

// https://sqlite.org/rescode.html: SQLITE_IOERR and SQLITE_FULL, in the lowest eight bits.
const isDisk = (errcode: unknown) => [10, 13].includes(Number(errcode) & 255);

function toSystemError(kind: FaultKind, name: string): Error {
  const code = kind === "fail" ? "EIO" : "ENOSPC";
  return Object.assign(new Error(`${code}: ${name}`), { code, syscall: name });
}

function toSqliteError(kind: FaultKind): Error {
  const [errcode, message] =
    kind === "fail" ? [10, "disk I/O error"] : [13, "database or disk is full"];
  return Object.assign(new Error(message), { code: "ERR_SQLITE_ERROR", errcode });
}

type Data = Uint8Array | string;

const half = (data: Data) => data.slice(0, Math.floor(data.length / 2));

function flipped(data: Data): Uint8Array {
  const bytes = typeof data === "string" ? Buffer.from(data) : Uint8Array.from(data);
  const at = Math.floor(bytes.length / 2);
  if (bytes.length > 0) bytes[at] = (bytes[at] ?? 0) ^ 4;
  return bytes;
}

/** `at`: which argument is the data. */
const writing = (at: number): Pick<Means, "tear" | "flip"> => ({
  tear: async (write, given) => {
    await write(...given.with(at, half(given[at] as Data)));
    throw toSystemError("tear", "write");
  },
  flip: (write, given) => write(...given.with(at, flipped(given[at] as Data))),
});

type Read = readonly [buffer: Uint8Array, offset?: number, length?: number, position?: number];

const reading: Pick<Means, "tear" | "flip"> = {
  tear: (read, given) => {
    const [buffer, offset = 0, length = buffer.length - offset, ...rest] = given as unknown as Read;
    return read(buffer, offset, Math.max(1, Math.floor(length / 2)), ...rest);
  },
  flip: async (read, given) => {
    const done = (await read(...given)) as { readonly bytesRead: number };
    const [buffer, offset = 0] = given as unknown as Read;
    buffer.set(flipped(buffer.subarray(offset, offset + done.bytesRead)), offset);
    return done;
  },
};

async function readFlipped(read: Make, given: Given): Promise<Data> {
  const data = (await read(...given)) as Data;
  return typeof data === "string" ? Buffer.from(flipped(data)).toString() : flipped(data);
}

function spoilFiles(prototype: object): void {
  for (const name of ["openSync", "statSync", "lstatSync", "rmSync"]) spoil(fs, name, ofPath(name));
  // It says so of what it cannot look at.
  spoil(fs, "existsSync", { ...ofPath("existsSync"), failing: false });
  for (const name of "open rename rm mkdir readdir stat lstat access realpath".split(" "))
    spoil(promises, name, { ...ofPath(name), isAsync: true });
  spoil(promises, "writeFile", { ...ofPath("writeFile"), isAsync: true, ...writing(1) });
  spoil(promises, "readFile", { ...ofPath("readFile"), isAsync: true, flip: readFlipped });
  const ofHandle = (name: string) => ({ toName: () => `FileHandle.${name}`, isAsync: true });
  spoil(prototype, "read", { ...ofHandle("read"), ...reading });
  spoil(prototype, "writeFile", { ...ofHandle("writeFile"), ...writing(0) });
  for (const name of ["stat", "sync"]) spoil(prototype, name, ofHandle(name));
}

const toSqlName = (sql: unknown) =>
  String(sql)
    .trim()
    .split(/\s+/, 3)
    .join(" ")
    .replace(/[;(].*$/, "");

function spoilSqlite(): void {
  const names = new WeakMap<object, string>();
  const database = sqlite.DatabaseSync.prototype as unknown as Record<string, Method>;
  const { prepare } = database;
  database["prepare"] = function (...given) {
    const statement = prepare?.apply(this, [...given]) as object;
    names.set(statement, toSqlName(given[0]));
    return statement;
  };
  const toError = toSqliteError;
  spoil(database, "exec", { toName: (_, [sql]) => toSqlName(sql), toError });
  for (const name of ["run", "get", "all", "iterate"])
    spoil(sqlite.StatementSync.prototype, name, {
      toName: (self) => names.get(self as object) ?? "",
      // A transaction that only reads asks the disk for nothing as it begins and ends.
      isMeant: (_, self) => !["BEGIN", "COMMIT"].includes(names.get(self as object) ?? ""),
      toError,
    });
  spoil(sqlite, "backup", { toError, isAsync: true });
}

const own = await promises.open(import.meta.filename);
await own.close();
spoilFiles(Object.getPrototypeOf(own) as object);
spoilSqlite();
syncBuiltinESMExports();
