// Call Media as an instance of the kit. Its relations send requests through the run of its own checks, with one budget and one cache.
import { fileURLToPath } from "node:url";
import { isDeepStrictEqual } from "node:util";
import type { OperationId } from "@call-media/api";
import {
  type Ask as AnyAsk,
  type Answer as AnyAnswer,
  type Caller,
  placeFields,
  toIdentity,
} from "../ask.ts";
import { type ApiDocument, loadDocument, type Operation } from "../document/document.ts";
import type { Wire } from "../http/wire.ts";
import { toSentence } from "../fingerprint.ts";
import { findCover, isUnknown } from "../laws/covers.ts";
import type { Cell, Judgement } from "../laws/law.ts";
import { createOwn } from "../own.ts";
import { type CellSetting, performCell } from "../perform.ts";
import { listCells } from "../plan/cells.ts";
import { derive } from "../relations/derive.ts";
import { loadRelations } from "../relations/read.ts";
import type { Relations } from "../relations/relations.ts";
import { WAYS } from "../rules/auth.ts";
import { createRun as createLawRun, type FoundList, type Run as LawRun } from "../run.ts";
import { isShown } from "../shown.ts";
import { readAll } from "../values/lists.ts";
import { toText } from "../values/places.ts";
import { type Ask, isObject, isSuccess, type JsonObject } from "./answer.ts";
import { impossible } from "./archive/records.ts";
import type { Sample } from "./archive/sample.ts";
import { searchOf } from "./archive/window.ts";
import type { Check, Context } from "./checks/check.ts";
import { findCommonFilter } from "./checks/filter-values.ts";
import { findAlone } from "./checks/recordings.ts";
import { type Attempt, observeRights } from "./checks/rights.ts";
import { observeRefusals } from "./checks/token.ts";
import { observeCount, observeOrder, observePast } from "./open-questions.ts";
import { manifest, type RequirementId } from "./requirements/manifest.ts";
import { RECORDINGS, SEARCHES } from "./requirements/requirement.ts";
import type { Run } from "./run.ts";
import { withNeeded } from "../values/needed.ts";

const KEY_SCHEME = "ApiKey";
const FILE = fileURLToPath(new URL("../../relations/call-media.yaml", import.meta.url));

export interface Instance {
  readonly document: ApiDocument;
  readonly relations: Relations;
}

let loaded: Promise<Instance> | undefined;

/** Loaded once per process. */
export function loadInstance(): Promise<Instance> {
  loaded ??= load();
  return loaded;
}

async function load(): Promise<Instance> {
  const document = await loadDocument(
    fileURLToPath(import.meta.resolve("@call-media/api/openapi.yaml")),
  );
  const relations = await loadRelations(document, [FILE]);
  return { document, relations };
}

/** Pages are counted from the same index as this service counts them. */
const countFrom = ({ rules, ...relations }: Relations, from: 0 | 1): Relations => ({
  ...relations,
  rules: rules.map((rule) => (rule.kind === "page" ? { ...rule, from } : rule)),
});

/** The laws of the relations at their operations, and authentication. Other parts of the document have their own checks. */
const listRelated = (document: ApiDocument, relations: Relations): readonly Cell[] =>
  listCells(document, relations).filter(({ rule, law }) => rule !== undefined || law === "auth");

/** Requirements of the rules that hold without relations, by witness. */
export const BY_WITNESS: Readonly<Record<string, RequirementId>> = {
  [WAYS.none]: "auth.missing",
  [WAYS.query]: "auth.missing",
  [WAYS.bare]: "auth.malformed",
  [WAYS.unknown]: "auth.random",
  [WAYS.otherCase]: "auth.random",
  [WAYS.less]: "auth.random",
  [WAYS.more]: "auth.random",
  [WAYS.scheme]: "auth.scheme",
  [WAYS.expired]: "auth.expired",
  "the scheme in lower case": "auth.scheme-case",
  [`credentials of ${KEY_SCHEME}`]: "auth.api-key",
};

export const related: Check = {
  about: "relations between answers",
  run: async ({ run, restricted, sample, target }) => {
    const { credentials } = target;
    const { document, relations: written } = await loadInstance();
    const relations = countFrom(written, sample.window?.base ?? 0);
    const cells = listRelated(document, relations).filter(({ operation }) =>
      run.isAsked(toId(operation.id)),
    );
    if (cells.length === 0) return;
    const derived = derive(document, relations);
    const laws = createLawRun({
      document,
      relations,
      ...derived,
      callers: toCallers(run, restricted, target),
      mayWrite: false,
      isStrict: true,
      consistencyMs: 0,
      complete: withNeeded,
      isShown,
      // Nothing is created.
      own: createOwn({ document, relations, ...derived, mayWrite: false, mark: "" }),
      wire: toWire(run, document),
      onAnswer: () => undefined, // already judged, like each response of the run
    });
    for (const [id, paths] of await listPaths(run, sample)) laws.found.paths.set(id, paths);
    laws.found.lists.set("searchMetadataByCustomFields", toList(sample));
    await findSearch(laws);
    for (const [name, value] of Object.entries(UNKNOWN)) laws.found.unknown.set(name, value);
    if (credentials !== undefined) laws.found.bodies.set("createToken", { ...credentials });
    const told: Told = { refusals: [], attempts: [], counts: [] };
    const collector = toCollector(run, told);
    const setting = { run: laws, collector, proved: new Set<Cell>(), isReplay: false };
    for (const cell of cells) {
      if (cell.needs.includes("second caller") && restricted === undefined) skipCell(run, cell);
      else await performCell(cell, setting);
    }
    if (target.apiKey === undefined) run.skip("auth.api-key", "no API key was given");
    if (target.expiredToken === undefined) run.skip("auth.expired", "no expired token was given");
    observeRefusals(run, told.refusals);
    observeRights(run, told.attempts);
    observeCount(run, told.counts);
  },
};

/** Recordings are at the paths found in the archive. Identifiers with several records show an order. */
async function listPaths(run: Run, sample: Sample) {
  const alone = await findAlone(run, sample);
  const byCall = sample.recordings.slice(0, MAX_STREAMS).map(({ callId }) => ({ call_id: callId }));
  const byReference = alone
    .slice(0, MAX_BY_REFERENCE)
    .map(({ record }) => ({ ref_id: record?.["ref_id"] }));
  return [
    ...RECORDINGS.map((id) => [id, id.endsWith("Reference") ? byReference : byCall] as const),
    ["getChatByCallId", sample.chats.map(({ callId }) => ({ call_id: callId }))] as const,
    ["getMetadataByCallId", listSharedPaths(sample, "call_id")] as const,
    ["getMetadataByReference", listSharedPaths(sample, "ref_id")] as const,
  ];
}

const listSharedPaths = ({ window }: Sample, name: string): JsonObject[] =>
  listShared(window?.records ?? [], name)
    .slice(0, MAX_SHARED)
    .map((id) => ({ [name]: id }));

/** Values that occur in no archive. Every language can parse the integer. */
const UNKNOWN = { call_id: impossible(), ref_id: impossible(), user_id: 2_147_480_017 };

/** The records of the window. Those with a recording or a shared identifier come first: they are the most informative. */
function toList({ window, recordings }: Sample): FoundList {
  const records = window?.records ?? [];
  const shared = new Set<unknown>(
    listShared(records, "call_id").concat(listShared(records, "ref_id")),
  );
  const isShared = ({ call_id: call, ref_id: ref }: JsonObject) =>
    shared.has(call) || shared.has(ref);
  const recorded = recordings.flatMap(({ record }) => record ?? []);
  const rows = [...new Set([...recorded, ...records.filter(isShared), ...records])];
  const query = window === undefined ? {} : (searchOf(window.search, window.base).query ?? {});
  return { path: {}, query, rows, isWhole: window?.isWhole === true, epoch: 0, isGiven: true };
}

/** A search by a filter that matches many records, of which the second caller may see some, but not all. */
async function findSearch(laws: LawRun): Promise<void> {
  const { found } = laws;
  const list = found.lists.get("searchMetadataByCustomFields");
  const records = (list?.rows ?? []).filter(isObject);
  const isCovered = list?.isWhole === true ? await findCovered(laws) : undefined;
  const filter =
    (isCovered &&
      findCommonFilter(
        records.filter(isCovered),
        records.filter((record) => !isCovered(record)),
      )) ??
    findCommonFilter(records);
  if (list === undefined || filter === undefined) return;
  const fields = Object.entries(filter).map(([name, value]) => [`body/${name}`, value] as const);
  const query = { ...list.query, ...Object.fromEntries(fields) };
  const { rows, isWhole } = await readAll(laws, { operation: "searchMetadata", query });
  found.lists.set("searchMetadata", { ...list, query, rows, isWhole });
}

/** A test whether the second caller may see a record. Undefined without such a caller, or if their rights are unknown. */
async function findCovered(laws: LawRun): Promise<((record: unknown) => boolean) | undefined> {
  const rule = laws.ruleOf("perCaller", "searchMetadata");
  const { second } = laws.callers;
  if (rule === undefined || second === undefined) return undefined;
  const cover = await findCover(laws, rule, second);
  return isUnknown(cover) ? undefined : cover.toTest("searchMetadata");
}

const listShared = (records: readonly JsonObject[], field: string): string[] =>
  [...Map.groupBy(records, (record) => record[field])].flatMap(([id, { length }]) =>
    length > 1 && typeof id === "string" && id !== "" ? [id] : [],
  );

// The result of a lookup by reference does not depend on the file format.
const MAX_BY_REFERENCE = 2;
const MAX_STREAMS = 5;
const MAX_SHARED = 2;

const isSearch = ({ id }: Operation): boolean => SEARCHES.some((search) => search === id);

const toId = (operation: string): OperationId => operation as OperationId; // the document is that of the contract

function toCallers(
  run: Run,
  restricted: Context["restricted"],
  { apiKey, expiredToken }: Context["target"],
): LawRun["callers"] {
  const toCaller = (name: string, authorization: string): Caller => ({
    name,
    headers: { Authorization: authorization },
    query: {},
  });
  return {
    first: toCaller("first", run.authorization()),
    ...(restricted && { second: toCaller("second", restricted.authorization) }),
    ...(expiredToken && { expired: toCaller("expired", `Bearer ${expiredToken}`) }),
    schemes: new Map(
      apiKey === undefined ? [] : [[KEY_SCHEME, toCaller(KEY_SCHEME, `Bearer ${apiKey}`)]],
    ),
  };
}

/** A request that the run already sent is not repeated, unless a law asks for a new one. */
function toWire(run: Run, { operations }: ApiDocument): Wire<AnyAsk, AnyAnswer> {
  const asked = new Set<string>();
  return {
    baseUrl: "",
    requests: () => 0,
    send: async (ask) => {
      const identity = toIdentity(ask);
      const operation = operations.get(ask.operation);
      if (operation === undefined) throw new Error(`no operation ${ask.operation}`);
      const own = {
        ...toAsk(run, placeFields(ask)),
        ...(operation.security.length === 0 && { authorization: null }),
      };
      const answer = asked.has(identity) ? await run.ask(own) : await run.recall(own);
      asked.add(identity);
      const method = ask.method ?? operation.method;
      return { ...answer, ask, operation, method, isSuccess: isSuccess(answer) };
    },
  };
}

function toAsk(run: Run, { operation, path, query, caller, rewrite, ...rest }: AnyAsk): Ask {
  if (rewrite !== undefined) throw new Error("relations are asked as the document writes them");
  const authorization = caller && (caller.headers["Authorization"] ?? null);
  return {
    ...rest,
    operation: toId(operation),
    ...toTexts("path", path),
    ...toTexts("query", { ...query, ...caller?.query }),
    ...(authorization !== undefined && authorization !== run.authorization() && { authorization }),
  };
}

/** Nothing for a request without parameters, as the other checks write it. */
function toTexts(name: "path" | "query", values: JsonObject = {}): Pick<Ask, "path" | "query"> {
  const given = Object.entries(values).filter(([, value]) => value !== undefined);
  const texts = given.map(([key, value]) => [key, toText(value)] as const);
  return texts.length === 0 ? {} : { [name]: Object.fromEntries(texts) };
}

interface Told {
  /** Statuses of wrong sign-ins. */
  readonly refusals: number[];
  /** Attempts of the second caller. */
  readonly attempts: Attempt[];
  readonly counts: Judgement[];
}

/** A clause without an id in the manifest comes from neither the interface nor a decision. */
function toCollector(run: Run, { refusals, attempts, counts }: Told): CellSetting["collector"] {
  return {
    judge: (judgement, rule) => {
      const { clause, answer, fault, witness } = judgement;
      if (clause === "signIn.status") refusals.push(answer.status);
      if (clause === "sameAs.unknown") observeUnknown(run, answer);
      if (clause === "page.past") observePast(run, judgement);
      if (clause === "order.order" && isSearch(answer.operation)) observeOrder(run, judgement);
      if (clause === "count.total") counts.push(judgement);
      const id =
        rule === undefined ? BY_WITNESS[witness ?? ""] : rule.ids?.[clause.split(".")[1] ?? ""];
      if (id === undefined || (fault === undefined && witness === undefined)) return;
      const { sent, came } = answer;
      const operation = toId(answer.operation.id);
      const told = fault && toSentence(fault);
      run.proveOf(toRequirement(id), { sent, came, operation }, fault);
      if (rule?.kind === "perCaller")
        attempts.push({ id: toRequirement(id), operation, answer, fault: told });
    },
    skip: ({ requirement }, why) => {
      if (requirement in manifest) run.skip(toRequirement(requirement), why);
    },
    observe: () => undefined,
  };
}

function skipCell(run: Run, { rule }: Cell): void {
  for (const id of Object.values(rule?.ids ?? {}))
    run.skip(toRequirement(id), "no second caller was given");
}

function observeUnknown(
  run: Run,
  { status, isSuccess: isTaken, operation, json }: AnyAnswer,
): void {
  const isEmpty = isTaken && isObject(json) && isDeepStrictEqual(json["data"], []);
  const [{ name } = { name: "identifier" }] = operation.parameters;
  run.observe({
    decision: "D15",
    question: `How is an unknown ${name} answered? (${operation.id})`,
    observed: `${status}${isEmpty ? " and empty" : ""}`,
    value: status,
    agrees: status === 200 && isEmpty,
  });
}

function toRequirement(id: string): RequirementId {
  if (!(id in manifest)) throw new Error(`${FILE} names the requirement ${id}, which there is not`);
  return id as RequirementId; // as the line before says
}
