// Lists fit the terminal: names are shortened, what tells rows apart stays whole.
import { afterEach, expect, test } from "vitest";
import { type Column, toTable } from "../src/command-line/table.ts";

interface Row {
  readonly id: string;
  readonly name: string;
  readonly day: string;
}

const COLUMNS: readonly Column<Row>[] = [
  { title: "ID", read: ({ id }) => id },
  { title: "NAME", read: ({ name }) => name, ifNarrow: "shorten" },
  { title: "DAY", read: ({ day }) => day, ifNarrow: "leave out" },
];
const ROWS = [{ id: "key_0123456789", name: "maximilian.example", day: "2026-11-23" }];
const { isTTY, columns } = process.stdout;

afterEach(() => void Object.assign(process.stdout, { isTTY, columns }));

const show = (width: number, isTerminal = true) => {
  Object.assign(process.stdout, { isTTY: isTerminal, columns: width });
  return toTable(COLUMNS, ROWS).split("\n")[1];
};

test.each([
  [46, "key_0123456789  maximilian.example  2026-11-23"],
  [40, "key_0123456789  maximilian.…  2026-11-23"],
  [30, "key_0123456789  maximilian.ex…"],
  [10, "key_0123456789  maximil…"],
  [0, "key_0123456789  maximilian.example  2026-11-23"],
])("of %i columns", (width, line) => {
  expect(show(width)).toBe(line);
});

test("elsewhere nothing is shortened, and what comes from outside moves no cursor", () => {
  expect(show(10, false)).toBe("key_0123456789  maximilian.example  2026-11-23");
  expect(toTable(COLUMNS, [{ id: "1", name: "\u001b[2J", day: "" }])).not.toContain("\u001b");
});
