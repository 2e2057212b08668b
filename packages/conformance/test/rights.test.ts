// Rights of a second caller at any API: a service that keeps them, and one with each of these faults.
import { expect, test } from "vitest";
import { checkApi, loadRelations, parseDocument } from "../src/index.ts";
import { startService } from "./services.ts";

const text = { type: "string" };
const flag = { type: "boolean" };
const json = (schema: object) => ({ content: { "application/json": { schema } } });
const rows = (properties: object) => ({ type: "array", items: { type: "object", properties } });
const answers = (success: object) => ({ 200: json(success), 401: {}, 403: {}, 404: {} });
const CASE = { id: text, team: { type: ["string", "null"] }, file: text };
const [USER_ID] = [{ name: "user", in: "query", required: true, schema: text }];
const [CASE_ID] = [{ name: "caseId", in: "path", required: true, schema: text }];

const byRights = { between: "covered", rights: "getRights", match: "folded" };
const cover = { "cases/*/team": { in: "teams", all: "allTeams" } };

const DOCUMENT = {
  openapi: "3.1.0",
  security: [{ token: [] }],
  components: { securitySchemes: { token: { type: "http", scheme: "bearer" } } },
  paths: {
    "/users": {
      get: {
        operationId: "listUsers",
        responses: answers({ type: "object", properties: { users: rows({ id: text }) } }),
      },
    },
    "/rights": {
      get: {
        operationId: "getRights",
        parameters: [USER_ID],
        responses: answers({
          type: "object",
          properties: {
            user: text,
            teams: { type: "array", items: text },
            allTeams: flag,
            types: { type: "array", items: text },
          },
        }),
      },
    },
    "/cases": {
      get: {
        operationId: "listCases",
        responses: answers({
          type: "object",
          properties: { total: { type: "integer" }, cases: rows(CASE) },
        }),
      },
    },
    "/cases/{caseId}": {
      get: {
        operationId: "getCase",
        parameters: [CASE_ID],
        responses: answers({ type: "object", properties: CASE }),
      },
    },
    "/cases/{caseId}/file": {
      get: {
        operationId: "getFile",
        parameters: [CASE_ID],
        responses: answers({ type: "object", properties: { name: text } }),
      },
    },
  },
  "x-relations": {
    values: { user: "listUsers#users/*/id" },
    rules: [
      { perCaller: { of: "listUsers", ...byRights, cover: { "users/*/id": "user" } } },
      { perCaller: { of: "listCases", ...byRights, cover, total: "total" } },
      { perCaller: { of: ["getCase", "getFile"], ...byRights, cover, hidden: "as-unknown" } },
      {
        perCaller: {
          of: "getFile",
          ...byRights,
          match: "suffix",
          cover: { name: { in: "types" } },
          hidden: "refused",
          only: ["hidden"],
        },
      },
    ],
  },
};

interface Case {
  readonly id: string;
  readonly team: string | null;
  readonly file: string;
}

const TEAMS = ["North ", "South", null];
const CASES: readonly Case[] = Array.from({ length: 12 }, (_, index) => ({
  id: `case-${index}`,
  team: TEAMS[index % 3] ?? null,
  file: index % 2 === 0 ? `${index}.pdf` : `${index}.Exe`,
}));

interface Parts {
  readonly rights: { readonly teams: readonly string[]; readonly allTeams: boolean };
  readonly usersOf: (all: readonly string[], caller: string) => readonly string[];
  readonly listed: (theirs: readonly Case[]) => readonly Case[];
  readonly total: (theirs: readonly Case[]) => number;
  readonly found: (one: Case, isTheirs: boolean) => number;
  readonly file: (isTheirs: boolean, isOfType: boolean) => number;
}

const PARTS: Parts = {
  rights: { teams: ["north"], allTeams: false },
  usersOf: (_, caller) => [caller],
  listed: (theirs) => theirs,
  total: ({ length }) => length,
  found: (_, isTheirs) => (isTheirs ? 200 : 404),
  file: (isTheirs, isOfType) => (isTheirs ? (isOfType ? 200 : 403) : 404),
};

const USERS = ["ada", "ben", "cy"];

function answer(parts: Parts, caller: string, { pathname, searchParams }: URL) {
  const isFirst = caller === "ada";
  const { rights } = parts;
  const isTheirs = ({ team }: Case) =>
    isFirst ||
    rights.allTeams ||
    (team !== null && rights.teams.includes(team.trim().toLowerCase()));
  if (pathname === "/users")
    return { users: (isFirst ? USERS : parts.usersOf(USERS, caller)).map((id) => ({ id })) };
  if (pathname === "/rights") {
    const user = searchParams.get("user");
    // Wrong for whoever asks of themselves: the first caller's word counts.
    const told = isFirst ? rights : { teams: [], allTeams: true };
    return user === caller || isFirst ? { user, ...told, types: [".pdf"] } : 404;
  }
  if (pathname === "/cases") {
    const theirs = CASES.filter(isTheirs);
    if (isFirst) return { total: theirs.length, cases: theirs };
    return { total: parts.total(theirs), cases: parts.listed(theirs) };
  }
  const [, id, file] = /^\/cases\/([^/]+)(\/file)?$/.exec(pathname) ?? [];
  const one = CASES.find((other) => other.id === id);
  if (one === undefined) return 404;
  const status = isFirst
    ? 200
    : file === undefined
      ? parts.found(one, isTheirs(one))
      : parts.file(isTheirs(one), one.file.endsWith(".pdf"));
  return status === 200 ? (file === undefined ? one : { name: one.file }) : status;
}

async function check(faults: Partial<Parts> = {}) {
  const parts = { ...PARTS, ...faults };
  await using service = await startService((request, response) => {
    const [, caller = ""] =
      /^bearer (ada|ben)-of-the-tests$/i.exec(request.headers.authorization ?? "") ?? [];
    const url = new URL(request.url ?? "/", "http://service");
    const isAsked = request.method === "GET" || request.method === "HEAD";
    const came = caller === "" ? 401 : isAsked ? answer(parts, caller, url) : 405;
    const [status, body] = typeof came === "number" ? [came, {}] : [200, came];
    response
      .writeHead(status, { "Content-Type": "application/json", "WWW-Authenticate": "Bearer" })
      .end(request.method === "HEAD" ? undefined : JSON.stringify(body));
  });
  const placeOf = () => ({ file: "openapi.json", line: 1 });
  const document = parseDocument({ file: "openapi.json", document: DOCUMENT, placeOf });
  const toCaller = (name: string) => ({
    headers: { Authorization: `Bearer ${name}-of-the-tests` },
  });
  const { findings, kept } = await checkApi({
    document,
    relations: await loadRelations(document),
    target: { baseUrl: service.baseUrl, first: toCaller("ada"), second: toCaller("ben") },
  });
  const ofRights = (all: readonly { readonly requirement: string; readonly operation: string }[]) =>
    all
      .filter(({ requirement }) => requirement.startsWith("perCaller."))
      .map(({ requirement, operation }) => `${requirement.slice("perCaller.".length)} ${operation}`)
      .toSorted();
  return { findings: ofRights(findings), kept: ofRights(kept) };
}

test("a service that keeps the rights has no finding, and each clause is seen at work", async () => {
  const { findings, kept } = await check();
  expect(findings).toEqual([]);
  expect(kept).toEqual([
    "as-unknown getCase",
    "as-unknown getFile",
    "counted listCases",
    "hidden getCase",
    "hidden getFile",
    "hidden listCases",
    "hidden listUsers",
    "own getCase",
    "seen getCase",
    "seen getFile",
    "seen listCases",
    "seen listUsers",
  ]);
});

test("where a flag allows all, nothing is hidden", async () => {
  const { findings, kept } = await check({ rights: { teams: [], allTeams: true } });
  expect(findings).toEqual([]);
  expect(kept).toContain("seen getCase");
  expect(kept).not.toContain("hidden getCase");
});

test.each<readonly [finding: string, about: string, faults: Partial<Parts>]>([
  ["hidden listUsers", "others are listed", { usersOf: (all) => all }],
  ["hidden listCases", "all cases are listed", { listed: () => CASES }],
  [
    "hidden listCases",
    "cases without a team are listed",
    { listed: (theirs) => [...theirs, ...CASES.filter(({ team }) => team === null)] },
  ],
  ["seen listCases", "a case is lost", { listed: (theirs) => theirs.slice(1) }],
  ["seen listCases", "no case comes", { listed: () => [] }],
  ["counted listCases", "the total tells of hidden cases", { total: () => CASES.length }],
  ["hidden getCase", "a case is found by its id", { found: () => 200 }],
  [
    "as-unknown getCase",
    "it is told that there is such a case",
    { found: (_, isTheirs) => (isTheirs ? 200 : 403) },
  ],
  ["seen getCase", "one's own case is not found", { found: () => 404 }],
  ["hidden getFile", "files of any type come", { file: (isTheirs) => (isTheirs ? 200 : 404) }],
  [
    "hidden getFile",
    "a file of another type is not there",
    { file: (isTheirs, isOfType) => (isTheirs && isOfType ? 200 : 404) },
  ],
])("%s: %s", async (finding, _about, faults) => {
  expect((await check(faults)).findings).toContain(finding);
});
