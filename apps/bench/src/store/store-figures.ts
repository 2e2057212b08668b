// Prints the figures of the store in tables and compares them with its goals.
import type { Figures } from "../bench-import.ts";
import type { Goal } from "../goals.ts";
import { type Line, printTable } from "../table.ts";
import type { Time } from "./beside.ts";
import type { PostgresArchive } from "./postgres.ts";
import type { QuestionName } from "./questions.ts";

/** The contenders: the large archive, with and without restricted rights, in the store and in PostgreSQL; and a small archive. */
export type Contender = "store" | "small" | "restricted" | "postgres" | "postgresRestricted";

/** The figures of one question. */
export type Compared = Readonly<Record<Contender, Time | undefined>>;

/** The times by question. */
export type Times = ReadonlyMap<string, Time>;

export const toText = (ms: number | undefined) => ms?.toFixed(2) ?? "";

export function printCompared(
  compared: ReadonlyMap<QuestionName, Compared>,
  rows: number,
  {
    version,
    bytesPerRow,
    rowsPerSecond,
  }: Pick<PostgresArchive, "version" | "bytesPerRow" | "rowsPerSecond">,
): void {
  const title = `${rows.toLocaleString("en")} calls, one year of two (p50)`;
  const toLine = (name: string, { store, small, restricted, ...others }: Compared): Line => {
    const { postgres, postgresRestricted } = others;
    const cpu = [small, store, restricted].map((time) => toText(time?.cpuMs));
    const backend = [postgres, postgresRestricted].map((time) => toText(time?.othersMs));
    const ratios = [toRatio(store, small), toRatio(restricted, store), toRatio(store, postgres)];
    return [
      name,
      toText(store?.ms),
      toText(postgres?.ms),
      ...cpu,
      ...backend,
      ...ratios.map(toText),
    ];
  };
  const times = ["ms: folder", "PostgreSQL", "CPU ms: small", "folder", "few rights"];
  const heads = [...times, `PostgreSQL ${version}`, "few rights"];
  const ratios = ["folder/small", "few/folder", "folder/PostgreSQL"];
  printTable(title, [
    ["", ...heads, ...ratios],
    ...[...compared].map(([name, of]) => toLine(name, of)),
  ]);
  console.log(
    "CPU of PostgreSQL is that of its server; the ratio to it counts this process as well.",
    `It has ${bytesPerRow.toFixed(0)} bytes a call, and took ${rowsPerSecond.toFixed(0)} calls a second.`,
  );
}

const SLOWEST = 5;

export function printSlowest(title: string, times: Times): void {
  const slowest = [...times].toSorted(([, a], [, b]) => b.cpuMs - a.cpuMs).slice(0, SLOWEST);
  printTable(title, [
    ["", "p50", "CPU"],
    ...slowest.map(([name, { ms, cpuMs }]): Line => [name, toText(ms), toText(cpuMs)]),
  ]);
}

export function toRatio(a: Time | undefined, b: Time | undefined): number | undefined {
  return a === undefined || b === undefined ? undefined : a.cpuMs / b.cpuMs;
}

interface Measured {
  readonly compared: ReadonlyMap<QuestionName, Compared>;
  readonly single: Times;
  readonly triple: Times;
  readonly farPage: number | undefined;
  readonly newRights: number;
  readonly imported: Figures;
}

export function toGoals(all: Measured): readonly Goal[] {
  const { compared, single, triple, farPage, newRights, imported } = all;
  const worst = (names: readonly QuestionName[], a: Contender, b: Contender) => {
    const ratios = names.map((name) => toRatio(compared.get(name)?.[a], compared.get(name)?.[b]));
    return Math.max(...ratios.filter((ratio) => ratio !== undefined));
  };
  const questions = [...compared.keys()];
  const most = { is: "at most" } as const;
  return [
    {
      ...most,
      what: "page 0 of one field against 100,000 calls",
      measured: worst(["agent, page 0", "campaign, page 0"], "store", "small"),
      limit: 1.5,
    },
    { ...most, what: "pageIndex 200 against page 0", measured: farPage, limit: 2 },
    {
      ...most,
      what: "any field, page and count, ms of CPU time",
      measured: toGreatest(single),
      limit: 15,
    },
    {
      ...most,
      what: "any three fields, page and count, ms of CPU time",
      measured: toGreatest(triple),
      limit: 25,
    },
    {
      ...most,
      what: "three lists of twenty allowed values against every right",
      measured: worst(questions, "restricted", "store"),
      limit: 3,
    },
    {
      ...most,
      what: "such rights for the first time, page and count, ms of CPU time",
      measured: newRights,
      limit: 100,
    },
    {
      ...most,
      what: "the store against PostgreSQL, worst question",
      measured: worst(questions, "store", "postgres"),
      limit: 0.5,
    },
    {
      is: "at least",
      what: "import: rows per second of CPU time, the last tenth of them",
      measured: imported.rowsPerCpuSecond,
      limit: 20_000,
    },
    { ...most, what: "bytes of the archive per row", measured: imported.bytesPerRow, limit: 1_000 },
  ];
}

function toGreatest(times: Times): number {
  return Math.max(...[...times.values()].map(({ cpuMs }) => cpuMs));
}
