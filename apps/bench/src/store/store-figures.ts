// The figures of the store, in tables and compared with its goals.
import type { Figures } from "../bench-import.ts";
import type { Goal } from "../goals.ts";
import { type Line, printTable } from "../table.ts";
import type { Time } from "./beside.ts";
import type { QuestionName } from "./questions.ts";

/** The contenders: the large archive, a small one, the large one with few rights, PostgreSQL. */
export type Contender = "store" | "small" | "restricted" | "postgres";

/** Of one question; undefined where PostgreSQL is not installed. */
export type Compared = Readonly<Record<Contender, Time | undefined>>;

/** By the question. */
export type Times = ReadonlyMap<string, Time>;

export const toText = (ms: number | undefined) => ms?.toFixed(2) ?? "";

export function printCompared(
  rows: number,
  compared: ReadonlyMap<QuestionName, Compared>,
  version: string | undefined,
): void {
  const lines = [...compared].map(([name, { store, small, restricted, postgres }]): Line => [
    name,
    ...[store?.ms, postgres?.ms].map(toText),
    ...[small, store, restricted, postgres].map((time) => toText(time?.cpuMs)),
    ...[toRatio(store, small), toRatio(restricted, store), toRatio(store, postgres)].map(toText),
  ]);
  const heads = ["ms", "PostgreSQL", "CPU ms: small", "store", "few rights", "PostgreSQL"];
  printTable(
    `${rows.toLocaleString("en")} calls, one year of two, PostgreSQL ${version ?? "none"} (p50)`,
    [["", ...heads, "store/small", "few/store", "store/PostgreSQL"], ...lines],
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
    const measured = ratios.filter((ratio) => ratio !== undefined);
    return measured.length === 0 ? undefined : Math.max(...measured);
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
