// Call Media as an instance of the kit: its relations, asked through the run of its own checks, with one budget and one memory.
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
import { type ApiDocument, loadDocument } from "../document/document.ts";
import type { Wire } from "../http/wire.ts";
import { toSentence } from "../fingerprint.ts";
import { findCover, isUnknown } from "../laws/covers.ts";
import type { Cell } from "../laws/law.ts";
import { createOwn } from "../own.ts";
import { type CellSetting, performCell } from "../perform.ts";
import { listCells } from "../plan/cells.ts";
import { derive } from "../relations/derive.ts";
import { loadRelations } from "../relations/read.ts";
import type { Relations } from "../relations/relations.ts";
import { createRun as createLawRun, type FoundList, type Run as LawRun } from "../run.ts";
import { toText } from "../values/places.ts";
import { type Ask, isObject, isSuccess, type JsonObject } from "./answer.ts";
import { impossible } from "./archive/records.ts";
import type { Sample } from "./archive/sample.ts";
import { searchOf } from "./archive/window.ts";
import type { Check, Context } from "./checks/check.ts";
import { findCommonFilter, selectEqual } from "./checks/filter-values.ts";
import { findAlone } from "./checks/recordings.ts";
import { type Attempt, observeRights } from "./checks/rights.ts";
import { observeRefusals } from "./checks/token.ts";
import { manifest, type RequirementId } from "./requirements/manifest.ts";
import { RECORDINGS } from "./requirements/requirement.ts";
import type { Run } from "./run.ts";

const FILE = fileURLToPath(new URL("../../relations/call-media.yaml", import.meta.url));

/** What the relations prove, and no check by hand. */
const BY_RELATIONS = [
  "call-id.echo",
  "call-id.finds",
  "reference.finds",
  "reference.only",
  "identifier.nothing",
  "identifier.unknown",
  "order.newest",
  "chat.echo",
  "chat.order",
  "chat.unknown",
  "users.distinct",
  "users.status",
  "users.echo",
  "users.unknown",
  "security.lists",
  "flags.public",
  "flags.private",
  "recording.same",
  "rights.records",
  "rights.hidden",
  "rights.seen",
  "rights.download",
  "rights.users",
  "rights.private-flags",
  "rights.public-flags",
  "rights.own",
  "stream.digest",
  "stream.head",
  "stream.headers",
  "stream.if-range",
  "stream.length",
  "stream.name",
  "stream.range",
  "stream.range-refused",
  "stream.type",
  "stream.unchanged",
  "token.expires",
  "token.fresh",
  "token.lifetime",
  "token.works",
  "token.wrong",
  "token.wrong-status",
] as const satisfies readonly RequirementId[];

export interface Instance {
  readonly document: ApiDocument;
  readonly relations: Relations;
  /** The laws of the relations at their operations; what holds without relations has checks of its own. */
  readonly cells: readonly Cell[];
}

let loaded: Promise<Instance> | undefined;

/** Read once in a process. */
export function loadInstance(): Promise<Instance> {
  loaded ??= load();
  return loaded;
}

async function load(): Promise<Instance> {
  const document = await loadDocument(
    fileURLToPath(import.meta.resolve("@call-media/api/openapi.yaml")),
  );
  const relations = await loadRelations(document, [FILE]);
  const cells = listCells(document, relations).filter(({ rule }) => rule !== undefined);
  return { document, relations, cells };
}

export const related: Check = {
  about: "relations between answers",
  proves: BY_RELATIONS,
  run: async ({ run, restricted, sample, target: { credentials } }) => {
    const { document, relations, cells } = await loadInstance();
    const derived = derive(document, relations);
    const laws = createLawRun({
      document,
      relations,
      ...derived,
      callers: toCallers(run, restricted),
      mayWrite: false,
      isStrict: false,
      seed: "", // nothing is created
      consistencyMs: 0,
      own: createOwn({ document, relations, ...derived, mayWrite: false }),
      wire: toWire(run, document),
      onAnswer: () => undefined, // judged as each answer of the run is
    });
    for (const [id, paths] of await listPaths(run, sample)) laws.found.paths.set(id, paths);
    laws.found.lists.set("searchMetadataByCustomFields", toList(sample));
    if (restricted !== undefined) await findSearch(laws);
    for (const [name, value] of Object.entries(UNKNOWN)) laws.found.unknown.set(name, value);
    if (credentials !== undefined) laws.found.bodies.set("createToken", { ...credentials });
    const refusals: number[] = [];
    const attempts: Attempt[] = [];
    const collector = toCollector(run, { refusals, attempts });
    const setting = { run: laws, collector, proved: new Set<Cell>(), isReplay: false };
    for (const cell of cells) {
      if (!run.isAsked(toId(cell.operation.id))) continue;
      if (cell.needs.includes("second caller") && restricted === undefined) skipCell(run, cell);
      else await performCell(cell, setting);
    }
    observeRefusals(run, refusals);
    observeRights(run, attempts);
  },
};

/** Recordings are where the archive was found to have them; identifiers of several records show an order. */
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

/** Values that no archive has; the integer is one that every language reads. */
const UNKNOWN = { call_id: impossible(), ref_id: impossible(), user_id: 2_147_480_017 };

/** The records that were read as the range was sought; first those with a recording or a shared identifier, which tell most. */
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

/** A search by a filter that records have in common which the second caller may see, and others. */
async function findSearch(laws: LawRun): Promise<void> {
  const { found } = laws;
  const list = found.lists.get("searchMetadataByCustomFields");
  const rule = laws.ruleOf("perCaller", "searchMetadata");
  const { second } = laws.callers;
  if (list?.isWhole !== true || rule === undefined || second === undefined) return;
  const cover = await findCover(laws, rule, second);
  if (isUnknown(cover)) return;
  const records = list.rows.filter(isObject);
  const isCovered = cover.toTest("searchMetadata");
  const hidden = records.filter((record) => !isCovered(record));
  const filter = findCommonFilter(records.filter(isCovered), hidden) ?? findCommonFilter(records);
  if (filter === undefined) return;
  const fields = Object.entries(filter).map(([name, value]) => [`body/${name}`, value] as const);
  const query = { ...list.query, ...Object.fromEntries(fields) };
  found.lists.set("searchMetadata", { ...list, query, rows: selectEqual(records, filter) });
}

const listShared = (records: readonly JsonObject[], field: string): string[] =>
  [...Map.groupBy(records, (record) => record[field])].flatMap(([id, { length }]) =>
    length > 1 && typeof id === "string" && id !== "" ? [id] : [],
  );

// What a reference finds does not hang on the form of the file.
const MAX_BY_REFERENCE = 2;
const MAX_STREAMS = 5;
const MAX_SHARED = 2;

const toId = (operation: string): OperationId => operation as OperationId; // the document is that of the contract

function toCallers(run: Run, restricted: Context["restricted"]) {
  const toCaller = (name: string, authorization: string): Caller => ({
    name,
    headers: { Authorization: authorization },
    query: {},
  });
  return {
    first: toCaller("first", run.authorization()),
    ...(restricted && { second: toCaller("second", restricted.authorization) }),
    schemes: new Map<string, Caller>(),
  };
}

/** What the run was answered before is not asked again, unless a law asks for it anew. */
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
  const authorization = caller === null ? null : caller?.headers["Authorization"];
  return {
    ...rest,
    operation: toId(operation),
    ...toTexts("path", path),
    ...toTexts("query", query),
    ...(authorization !== undefined && authorization !== run.authorization() && { authorization }),
  };
}

/** Nothing for a request without any, as the other checks write it. */
function toTexts(name: "path" | "query", values: JsonObject = {}): Pick<Ask, "path" | "query"> {
  const given = Object.entries(values).filter(([, value]) => value !== undefined);
  const texts = given.map(([key, value]) => [key, toText(value)] as const);
  return texts.length === 0 ? {} : { [name]: Object.fromEntries(texts) };
}

interface Told {
  /** Statuses of wrong sign-ins. */
  readonly refusals: number[];
  /** As the second caller. */
  readonly attempts: Attempt[];
}

/** A clause without an id of the manifest is nothing that the interface or a decision says. */
function toCollector(run: Run, { refusals, attempts }: Told): CellSetting["collector"] {
  return {
    judge: ({ clause, answer, fault, witness }, rule) => {
      if (clause === "signIn.status") refusals.push(answer.status);
      if (clause === "sameAs.unknown") observeUnknown(run, answer);
      const id = rule?.ids?.[clause.split(".")[1] ?? ""];
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
