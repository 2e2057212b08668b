// Call Media as an instance of the kit: its document and relations, and the checks that no relation describes.
import { isDeepStrictEqual } from "node:util";
import { fileURLToPath } from "node:url";
import { isObject } from "@call-media/contract-diff";
import type { Answer, Caller } from "../ask.ts";
import { checkApi } from "../check-api.ts";
import { type ApiDocument, loadDocument } from "../document/document.ts";
import { Ended } from "../http/sender.ts";
import type { Instance, Requirement } from "../instance.ts";
import { toSentence } from "../fingerprint.ts";
import type { Cell, Judgement, Unchecked } from "../laws/law.ts";
import type { Rule } from "../relations/kinds.ts";
import { loadRelations } from "../relations/read.ts";
import type { ApiCheck } from "../check.ts";
import type { ApiReport, ApiTarget } from "../report.ts";
import type { Run as KitRun } from "../run.ts";
import { refusesInBody, toId } from "./answer.ts";
import { createJudge } from "./answers/every-answer.ts";
import { listUnseen } from "./answers/unseen.ts";
import { takeSample } from "./archive/sample.ts";
import { checks } from "./checks/all.ts";
import type { Check, Context } from "./checks/check.ts";
import { type Attempt, observeRights } from "./checks/rights.ts";
import { observeRefusals } from "./checks/token.ts";
import { createNotes, type Notes } from "./notes.ts";
import { observeCount, observeOrder, observePast } from "./open-questions.ts";
import { fillFound } from "./prepare.ts";
import { observeErrorBody, observeRefused, type Refused } from "./refusals.ts";
import { toSourceText } from "../relations/requirements.ts";
import { listRequirements, manifest } from "./requirements/manifest.ts";
import { BY_WITNESS } from "./requirements/of-clauses.ts";
import { ALL, SEARCHES } from "./operations.ts";
import { WAYS } from "../rules/auth.ts";
import { createRun } from "./run.ts";
import { observeStreams } from "./streams.ts";
import {
  type CheckOptions,
  type Hints,
  type Target,
  toApiTarget,
  type Yardstick,
} from "./target.ts";

const RELATIONS = fileURLToPath(new URL("../../relations/call-media.yaml", import.meta.url));
const DOCUMENT = fileURLToPath(import.meta.resolve("@call-media/api/openapi.yaml"));

/** True for a document that has every operation of Call Media. */
export const isCallMedia = ({ operations }: ApiDocument): boolean =>
  ALL.every((id) => operations.has(id));

export interface Held {
  readonly against?: Yardstick | undefined;
  readonly hints?: Hints | undefined;
  /** Default: the one of this package. */
  readonly document?: ApiDocument | undefined;
  /** Relations files beside the one of this package. */
  readonly files?: readonly string[] | undefined;
}

/** What the kit checks of Call Media. Loaded once, unless another document or further relations are given. */
export async function loadCallMedia({
  against = "interface",
  hints = {},
  document,
  files = [],
}: Held = {}): Promise<Required<Pick<ApiCheck, "document" | "relations" | "open">>> {
  const { document: own, relations } =
    document === undefined && files.length === 0
      ? await (packed ??= load(undefined, []))
      : await load(document, files);
  return {
    document: own,
    // A run says from which index this service counts its pages.
    relations: { ...relations, rules: relations.rules.map((rule) => ({ ...rule })) },
    open: () => openInstance(own, against, hints),
  };
}

let packed: ReturnType<typeof load> | undefined;

async function load(given: ApiDocument | undefined, files: readonly string[]) {
  const document = given ?? (await loadDocument(DOCUMENT));
  return { document, relations: await loadRelations(document, [RELATIONS, ...files]) };
}

/**
 * Checks over HTTP, with reading requests only, whether a service of Call Media keeps the contract. Also observes its behaviour where the
 * interface is silent. Needs no information about the archive behind it.
 *
 * Never rejects because of the service: the report says if it cannot be reached, hangs or returns nonsense. Throws `TypeError` for a target
 * without credentials.
 */
export async function checkService(target: Target, options: CheckOptions = {}): Promise<ApiReport> {
  const { against, hints, ...given } = options;
  const check = await loadCallMedia({ against, hints });
  return checkApi({ ...check, target: toApiTarget(target), options: given });
}

interface Kept {
  readonly notes: Notes;
  readonly told: Told;
  /** Verdicts of the search for samples. */
  readonly pending: (Judgement | Unchecked)[];
  /** Undefined when the run ended before it. */
  context?: Omit<Context, "run">;
}

interface Told {
  /** Statuses of wrong sign-ins. */
  readonly refusals: number[];
  /** Attempts of the second caller. */
  readonly attempts: Attempt[];
  readonly counts: Judgement[];
  readonly refused: Refused[];
  /** The judgements of streams by call identifier. */
  readonly streams: Judgement[];
}

function openInstance({ operations }: ApiDocument, against: Yardstick, hints: Hints): Instance {
  const notes = createNotes();
  const kept: Kept = {
    notes,
    told: { refusals: [], attempts: [], counts: [], refused: [], streams: [] },
    pending: [],
  };
  const toOperation = (id: string): Cell["operation"] => {
    const operation = operations.get(id);
    if (operation === undefined) throw new Error(`no operation ${id}`);
    return operation;
  };
  const due = new Set(listRequirements(against).map(({ id }) => id));
  return {
    against,
    holdsDocument: against === "decisions",
    rules: new Set(["auth"]),
    requirements: new Map(
      [...manifest()].map(([id, one]): [string, Requirement] => [
        id,
        { ...one, source: toSourceText(one), isDue: due.has(id) },
      ]),
    ),
    cells: [sampled, ...checks].map((check) => toCell(check, kept, toOperation)),
    isRefusal: refusesInBody,
    judgeAnswer: createJudge(against),
    toRequirement,
    see: (judgement, rule) => see(judgement, rule, kept),
    prepare: async (run, { target, isAsked }) => {
      await meet(run, target);
      const own = createRun(run, notes, (verdict) => void kept.pending.push(verdict));
      const sample = await takeSample(own, hints);
      for (const rule of run.relations.rules)
        if (rule.kind === "page") Object.assign(rule, { from: sample.window?.base ?? 0 });
      kept.context = { sample, restricted: run.callers.second, pending: kept.pending, isAsked };
      await fillFound(own, sample);
    },
    listUnseen: (run, isAsked) => listUnseen(run, kept.context?.sample, isAsked),
    toObserved: () => {
      observeRefusals(notes, kept.told.refusals);
      observeRefused(notes, kept.told.refused);
      observeStreams(notes, kept.told.streams);
      observeRights(notes, kept.told.attempts);
      observeCount(notes, kept.told.counts);
      return notes.toObserved();
    },
  };
}

/** Throws `Ended` if the service does not accept an API key, or both callers are the same: checks of their rights would be wrong. */
async function meet(run: KitRun, { first, second }: ApiTarget): Promise<void> {
  const ask = { operation: "listPublicFlags" };
  const isRefused = async (caller: Caller) => (await run.ask({ ...ask, caller })).status === 401;
  if (first !== undefined && (await isRefused(run.callers.first)))
    throw new Ended("the API key was answered 401", true);
  if (second === undefined) return;
  if (run.callers.second === undefined)
    throw new Ended("the second caller is the first one: it proves no right", true);
  if (await isRefused(run.callers.second))
    throw new Ended("the second caller's API key was answered 401", true);
}

function toCell(
  { about, proves, cost, run: check }: Check,
  kept: Kept,
  toOperation: (id: string) => Cell["operation"],
): Cell {
  const operations = [...new Set(proves.flatMap((id) => manifest().get(id)?.operations ?? []))];
  const [first = "createToken"] = operations;
  return {
    law: about.replaceAll(" ", "-"),
    operation: toOperation(first),
    operations,
    clauses: proves,
    cost,
    needs: [],
    isBetween: false,
    judge: async function* judge(run) {
      const told: (Judgement | Unchecked)[] = [];
      const { notes, context } = kept;
      if (context === undefined) return;
      try {
        await check({ ...context, run: createRun(run, notes, (one) => void told.push(one)) });
      } finally {
        yield* told;
      }
    },
  };
}

/** What the search for samples showed, and the callers that were not given. */
const sampled: Check = {
  about: "sample",
  proves: ["answer.success", "auth.api-key", "auth.expired"],
  cost: 0,
  run: async ({ run, pending }) => {
    const { schemes, expired } = run.kit.callers;
    if (schemes.size === 0) run.skip("auth.api-key", "no API key was given");
    if (expired === undefined) run.skip("auth.expired", "no expired token was given");
    for (const verdict of pending) run.tell(verdict);
  },
};

/** Undefined for a clause that comes from neither the interface nor a decision. */
function toRequirement({ clause, witness }: Judgement, rule?: Rule): string | undefined {
  const [kind, name = ""] = clause.split(".", 2);
  if (rule !== undefined) return rule.ids?.[name];
  return kind === "auth" ? BY_WITNESS[witness ?? ""] : undefined;
}

function see(judgement: Judgement, rule: Rule | undefined, { notes, told }: Kept): void {
  const { clause, answer, fault, witness } = judgement;
  const isUnsigned = clause === "auth.refused" && witness === WAYS.none;
  if (isUnsigned && answer.operation.id === SHOWN_401 && answer.method !== "HEAD")
    observeErrorBody(notes, answer);
  // A check of its own may have a requirement that is named like a clause.
  if (rule === undefined) return;
  if (clause === "signIn.status") told.refusals.push(answer.status);
  if (clause === "sameAs.unknown") observeUnknown(notes, answer);
  if (clause === "page.past") observePast(notes, judgement);
  if (clause === "order.order" && isSearch(answer)) observeOrder(notes, judgement);
  if (clause === "count.total") told.counts.push(judgement);
  if (rule.kind === "bytes" && answer.operation.id === "streamRecordingByCallId")
    told.streams.push(judgement);
  const id = toRequirement(judgement, rule);
  if (id === undefined || !manifest().has(id)) return;
  if (rule.kind === "refusal" && clause !== "refusal.names") told.refused.push({ id, judgement });
  if (rule.kind !== "perCaller") return;
  if (fault === undefined && witness === undefined) return;
  const operation = toId(answer.operation.id);
  told.attempts.push({ id, operation, answer, fault: fault && toSentence(fault) });
}

const SHOWN_401 = "listPublicFlags";

const isSearch = ({ operation: { id } }: Answer): boolean =>
  SEARCHES.some((search) => search === id);

function observeUnknown(notes: Notes, { status, isSuccess, operation, json }: Answer): void {
  const isEmpty = isSuccess && isObject(json) && isDeepStrictEqual(json["data"], []);
  const [{ name } = { name: "identifier" }] = operation.parameters;
  notes.observe({
    decision: "D15",
    question: `How is an unknown ${name} answered? (${operation.id})`,
    observed: `${status}${isEmpty ? " and empty" : ""}`,
    value: status,
    agrees: status === 200 && isEmpty,
  });
}
