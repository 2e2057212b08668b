// A first relations file in YAML: lists, sources of values, rules that live responses showed, and the other guesses as comments.
import { type ApiDocument, type Operation } from "../document/document.ts";
import { derive, type Derived, listUnsourced, toValues } from "../relations/derive.ts";
import { NO_RELATIONS } from "../relations/read.ts";
import type { ApiCheck } from "../check.ts";
import type { Left } from "../report.ts";
import { guessPages } from "./guess-pages.ts";
import { guessCounts, guessFilters } from "./guess-rows.ts";
import { guessBytes, guessLives, guessSame } from "./guess-things.ts";
import type { Guess, Known } from "./known.ts";
import { mine, type Mined } from "./mine.ts";

const SEARCH = /[/:](?:search|query|find|filter|lookup)$/i;
const SCHEMA = "https://unpkg.com/@call-media/conformance/relations.schema.json";
const WIDTH = 110;

/** Sends no requests: all guesses are comments until they are tried. */
export function toFirstRelations(document: ApiDocument): string {
  const safe = listSearches(document);
  const derived = derive(document, { ...NO_RELATIONS, safe });
  const guesses = [...document.operations.values()].flatMap((operation) =>
    guessAll(document, operation, derived),
  );
  const mined = guesses.map((guess) => ({ guess, isRule: false, why: "" }));
  const head = [
    "These are guesses by names alone. With --base-url they are tried on live answers, and those that hold are rules.",
  ];
  return write({ document, derived, safe, mined, head });
}

/** The first of several ways. Guesses that only responses can confirm are left out. */
function guessAll(
  document: ApiDocument,
  operation: Operation,
  { lists }: Derived,
): readonly Guess[] {
  const list = lists.get(operation.id);
  const known: Known = { document, operation, list, rows: [], page: undefined, paged: new Set() };
  const ofLists = [guessCounts, guessFilters, guessSame].flatMap((guess) => [...guess(known)]);
  const choices = [
    ...(list === undefined ? [] : [guessPages(known), ...ofLists]),
    ...guessBytes(known),
    ...guessLives(known),
  ];
  return choices.flatMap((choice) => choice.slice(0, 1));
}

export interface FirstRelations {
  readonly text: string;
  readonly requests: number;
  readonly rules: number;
  readonly guesses: number;
  /** Things that were created and could not be deleted. */
  readonly left: readonly Left[];
  /** Why it ended early. */
  readonly reason?: string;
}

/** Tries guesses on a running service. Sends only reading requests, unless `mayWrite` is set. Never rejects because of the service. */
export async function mineRelations(check: ApiCheck): Promise<FirstRelations> {
  const { document, target } = check;
  const { mined, run, left, reason } = await mine(check);
  const searches = listSearches(document).filter((id) => !check.relations.safe.includes(id));
  const rules = mined.filter(({ isRule }) => isRule).length;
  const lists = new Map(
    [...document.operations.keys()].flatMap((id) => {
      const info = run.listInfo(id);
      return info === undefined ? [] : [[id, info] as const];
    }),
  );
  const empty = [...lists.keys()].filter((id) => !run.filled.has(id));
  const head = [
    `Tried on live answers of ${target.baseUrl}, twice: ${rules} of ${mined.length} guesses are rules, the others comments with the reason.`,
    "A good first file, and no substitute for what only you know: whose a row is (perCaller), what excludes what, days and zones,",
    "states, prices. What was wrong already when it was written is no rule either: read the comments.",
    ...(empty.length === 0
      ? []
      : [`Nothing could be tried on ${empty.join(", ")}: no row was found there.`]),
    ...(reason === undefined ? [] : [`It ended early: ${reason}.`]),
  ];
  const derived = { lists, sources: run.sources };
  return {
    text: write({ document, derived, safe: searches, mined, head }),
    requests: run.requests(),
    rules,
    guesses: mined.length,
    left,
    ...(reason !== undefined && { reason }),
  };
}

const listSearches = ({ operations }: ApiDocument): readonly string[] =>
  [...operations.values()]
    .filter((one) => one.method === "POST" && SEARCH.test(one.path))
    .map(({ id }) => id);

interface Written {
  readonly document: ApiDocument;
  readonly derived: Derived;
  /** Searches by POST that the owner may declare safe. */
  readonly safe: readonly string[];
  readonly mined: readonly Mined[];
  readonly head: readonly string[];
}

function write({ document, derived, safe, mined, head }: Written): string {
  const { lists } = derived;
  const [values, unsourced] = [toValues(derived), listUnsourced(document, derived)];
  const free = [...lists.keys()].find((id) => !document.operations.get(id)?.path.includes("{"));
  const rules = mined.filter(({ isRule }) => isRule);
  const others = mined.filter(({ isRule }) => !isRule);
  const lines = [
    `# yaml-language-server: $schema=${SCHEMA}`,
    ...head.map((line) => `# ${toComment(line)}`),
    'relations: "1"',
    ...(safe.length === 0
      ? []
      : [
          "# If these only read, take the # away: without this line they are sent with --write alone.",
          `# safe: ${toFlow(safe)}`,
        ]),
    "lists:",
    ...[...lists].map(([id, { items, key, open }]) => {
      const isPlain = Object.keys(open).length === 0;
      const told = { items, key: key.length === 1 ? key[0] : key, ...(!isPlain && { open }) };
      return `  ${toFlow(id)}: ${toFlow(told)}`;
    }),
    ...(lists.size === 0 ? ["  {}"] : []),
    "values:",
    ...Object.entries(values).map(([name, source]) => `  ${toFlow(name)}: ${toFlow(source)}`),
    ...(Object.keys(values).length === 0 ? ["  {}"] : []),
    ...(unsourced.length === 0
      ? []
      : [
          "# Say where values of these come from, or nothing that needs them is asked: an operation, and the place in its answer.",
          ...unsourced.map(
            (name) => `#  ${toFlow(name)}: ${toFlow(`${free ?? "listThings"}#*/${name}`)}`,
          ),
        ]),
    "rules:",
    ...rules.flatMap((one) => toLines(one, "  ")),
    ...(others.length === 0
      ? []
      : ["# Guesses that are no rules. To make one a rule, correct it and take its # away."]),
    ...others.flatMap((one) => toLines(one, "#  ")),
  ];
  return `${lines.join("\n")}\n`;
}

/** The reason follows its rule on the same line, or precedes it if it is long. */
function toLines({ guess: { kind, fields }, why }: Mined, indent: string): readonly string[] {
  const line = `${indent}- ${kind}: ${toFlow(fields)}`;
  const reason = toComment(why);
  if (reason === "") return [line];
  return line.length + reason.length < WIDTH
    ? [`${line} # ${reason}`]
    : [`${indent.startsWith("#") ? indent : `${indent}# `}${reason}:`, line];
}

/** A reason may quote responses of a service: their line breaks must not end the comment. */
const toComment = (text: string): string =>
  text.replaceAll(/[\s\p{Cc}\p{Cf}\u2028\u2029]+/gu, " ").trim();

/** Single-line YAML. Text that YAML would parse as something else is quoted: braces, `no`, `1.0`. */
function toFlow(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(toFlow).join(", ")}]`;
  if (typeof value === "object" && value !== null) {
    const entries = Object.entries(value).map(
      ([name, inner]) => `${toFlow(name)}: ${toFlow(inner)}`,
    );
    return entries.length === 0 ? "{}" : `{ ${entries.join(", ")} }`;
  }
  if (typeof value === "string" && isPlain(value)) return value;
  return JSON.stringify(value).replaceAll(/[\u007f-\u009f\u2028\u2029\ufeff]/g, toEscape);
}

const toEscape = (one: string): string =>
  `\\u${(one.codePointAt(0) ?? 0).toString(16).padStart(4, "0")}`;

const isPlain = (text: string): boolean =>
  /^[a-z_][\w.\-/#*]*$/i.test(text) && !/^(?:true|false|null|yes|no|on|off|y|n)$/i.test(text);
