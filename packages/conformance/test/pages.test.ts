// Pages of every style: each is walked to its end, and a circle, a row too many or too few and a page too large are seen.
import { describe, expect, test } from "vitest";
import { type Fault, INTEGER, ROWS, serve, type Style, STYLES, toPaths } from "./page-styles.ts";
import { check } from "./styles.ts";

/** The rules of the document have tests of their own. */
const OWN = ["auth", "http", "input", "same", "matrix", "default", "stable", "links"];
const walk = async (style: Style, fault?: Fault, without: readonly string[] = OWN) => {
  const rules = [{ page: { of: "listThings", ...style.rule } }];
  const report = await check(toPaths(style), serve(style, fault), { rules, without });
  const names = (all: readonly { readonly requirement: string }[]) =>
    all.map(({ requirement }) => requirement).filter((name) => name.startsWith("page."));
  return { ...report, faults: names(report.findings), held: names(report.kept) };
};

describe.each(Object.entries(STYLES))("%s", (name, style) => {
  test("a list is walked to its end", async () => {
    const { findings, held, verdict, reason } = await walk(style, {}, []);
    expect(findings).toEqual([]);
    expect([verdict, reason]).toEqual(["kept", undefined]);
    expect(held).toEqual(
      expect.arrayContaining(["page.size", "page.distinct", "page.circle", "page.whole"]),
    );
    const isTold = "next" in style.rule;
    expect(held.includes("page.next")).toBe(isTold);
  });

  test.each<readonly [about: string, clause: string, fault: Fault]>([
    [
      "a row that stands on two pages",
      "distinct",
      {
        cut: (from, size, all) => all.slice(Math.max(0, from - 1), from - Number(from > 0) + size),
      },
    ],
    [
      "a row that no page has",
      "whole",
      {
        cut: (from, size, all) =>
          all.filter(({ id }) => size > 9 || id !== "t5").slice(from, from + size),
      },
    ],
    [
      "a page larger than asked",
      "size",
      { cut: (from, size, all) => all.slice(from, from + size + 1) },
    ],
  ])("%s", async (_about, clause, fault) => {
    expect((await walk(style, fault)).faults).toContain(`page.${clause}`);
  });

  test("a circle ends the walk", async () => {
    const isCounted = "index" in style.rule || "range" in style.rule || name.startsWith("keyset");
    const { faults, requests } = await walk(
      style,
      isCounted ? { from: () => 0 } : { next: (next, from) => (from > 0 ? 0 : next) },
    );
    expect(faults).toContain("page.circle");
    expect(requests).toBeLessThan(40);
  });

  test("an empty page after the last", async () => {
    const rule = { ...style.rule };
    if (!("next" in rule) || typeof rule["next"] !== "string") return;
    const { findings } = await walk(style, {
      next: (next, from) => next ?? (from < ROWS.length ? ROWS.length : undefined),
    });
    expect(findings).toEqual([]);
  });
});

const named = (name: string): Style => {
  const style = STYLES[name];
  if (style === undefined) throw new Error(`no style ${name}`);
  return style;
};

test.each(["offset with a flag", "a cursor in the body", "a Link header", "keyset with a flag"])(
  "pages that end too early lose rows: %s",
  async (name) => {
    const { findings } = await walk(named(name), { next: () => undefined });
    const clause = name.startsWith("offset") ? "page.next" : "page.whole";
    expect(findings).toMatchObject([{ requirement: clause }]);
  },
);

test("a flag that more follows is a promise, unless the rule says otherwise", async () => {
  const style = named("keyset with a flag");
  const always: Fault = { next: () => 1 };
  expect((await walk(style, always)).faults).toContain("page.next");
  const lenient = { ...style, rule: { ...style.rule, last: "either" } };
  expect((await walk(lenient, always)).faults).toEqual([]);
});

test("a list in another order each time loses rows where it has pages, and is no fault where it has none", async () => {
  let turn = 0;
  const all = () => {
    turn = (turn + 3) % ROWS.length;
    return [...ROWS.slice(turn), ...ROWS.slice(0, turn)];
  };
  const { findings } = await walk(named("offset and limit"), { all });
  expect(findings.map(({ fault }) => fault).join("\n")).toMatch(
    /pages lose rows|stands on two pages/,
  );
  const { rule: _rule, ...style } = named("offset and limit");
  const { findings: none, verdict } = await check(
    toPaths(style as Style),
    serve(style as Style, { all }),
  );
  expect([none, verdict]).toEqual([[], "kept"]);
});

test("where the service alone decides how many rows a page has, fewer than usual are no fault", async () => {
  const style = named("numbers from 1");
  const free: Style = {
    ...style,
    rule: { index: "page", from: 1 },
    parameters: style.parameters.slice(0, 1),
  };
  const { findings, held } = await walk(free);
  expect(findings).toEqual([]);
  expect(held).toContain("page.whole");
  const unbounded: Style = {
    ...named("offset and limit"),
    parameters: [
      ["offset", INTEGER],
      ["limit", { type: "integer", minimum: 1 }],
    ],
  };
  const capped: Fault = {
    cut: (from, size, rows) => rows.slice(from, from + Math.min(size, 4)),
    next: (next) => next,
  };
  expect((await walk(unbounded, capped)).findings).toEqual([]);
});
