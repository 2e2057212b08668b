// What `check` and `probe` check: Call Media by the relations of this program, or any API by its own document and relations.
import {
  type ApiCheck,
  type ApiDocument,
  type ApiReport,
  type CallerCredentials,
  checkApi,
  checkWithSelfTest,
  type Exchange,
  explain,
  type FirstRelations,
  type Hints,
  isCallMedia,
  loadCallMedia,
  loadRelations,
  mineRelations,
  parseDocument,
  toApiTarget,
  toFirstRelations,
  type Yardstick,
} from "@call-media/conformance";
import { isObject, type JsonObject } from "@call-media/contract-diff";
import type { OpenApiFile } from "@call-media/contract-diff/files";
import { parseBaseUrl } from "../access/base-url.ts";
import { hasRestricted, readTarget, type TargetFlags } from "../access/target.ts";
import { createProgressLine, io, toSuggestion, UsageError } from "@call-media/terminal";
import { parseJson } from "../export/folder/read.ts";
import { explainUnreachable } from "../failures/unreachable.ts";
import { asUsage } from "../files/document-file.ts";
import { createInterrupt } from "../interrupt.ts";
import type { CheckedReport } from "./checked-report.ts";
import {
  applyExpectations,
  checkOperation,
  type Judged,
  readExpectations,
  toVocabulary,
  wasSeenBy,
} from "./expectations.ts";
import { toExplanationText } from "./explain.ts";

export interface SubjectFlags extends TargetFlags {
  readonly against?: Yardstick;
  readonly only?: readonly string[];
  readonly relations?: readonly string[];
  /** Variables of the environment, by the name of the caller. */
  readonly caller?: Readonly<Record<string, string>>;
  /** Variables of the environment, by the operation whose body they contain. */
  readonly body?: Readonly<Record<string, string>>;
  readonly write?: true;
  readonly strict?: true;
  readonly open?: true;
  readonly emptyOk?: true;
  readonly without?: readonly string[];
  readonly maxRequests?: number;
  readonly rate?: number;
  readonly floor?: number;
  /** File of known differences. */
  readonly expect?: string;
  readonly selfTest?: true;
}

const isOfCallMedia = (document: ApiDocument | undefined): boolean =>
  document === undefined || isCallMedia(document);

/** The API to check. */
interface Subject extends Pick<ApiCheck, "document" | "relations" | "open"> {
  /** True for Call Media, whose relations come with this program. */
  readonly isOwn: boolean;
}

/**
 * Call Media, unless the document is that of another API.
 *
 * @throws UsageError before any request, if the document, the relations or the names of operations are invalid.
 */
export async function readSubject(
  flags: SubjectFlags,
  document: ApiDocument | undefined,
  hints?: Hints,
): Promise<Subject> {
  const { relations: files, against = "interface" } = flags;
  const isOwn = isOfCallMedia(document);
  const subject =
    document === undefined || isOwn
      ? await asUsage(loadCallMedia({ document, files, against, hints }))
      : { document, relations: await asUsage(loadRelations(document, files)) };
  if (!isOwn && against !== "interface")
    throw new UsageError(
      "--against is for the check of Call Media's own contract: leave it out for an API with a document of its own",
    );
  for (const name of flags.only ?? [])
    checkOperation(name, "--only", [...subject.document.operations.keys()]);
  return { ...subject, isOwn };
}

/** @throws UsageError before any request, if known differences or credentials are invalid. */
export async function checkSubject(
  flags: SubjectFlags,
  file: OpenApiFile | undefined,
  onExchange?: (exchange: Exchange) => void,
): Promise<{ readonly found: Judged<ApiReport>; readonly hasRules: boolean }> {
  using progress = createProgressLine(io().stderr);
  const check = await toApiCheck(flags, file, { progress, onExchange });
  const expectations =
    flags.expect === undefined ? [] : await readExpectations(flags.expect, toVocabulary(check));
  const report = await (flags.selfTest === true ? checkWithSelfTest : checkApi)(check);
  return {
    found: applyExpectations(report, expectations, wasSeenBy(report)),
    hasRules: check.relations.rules.length > 0,
  };
}

interface Shown {
  readonly progress: ReturnType<typeof createProgressLine>;
  readonly onExchange: ((exchange: Exchange) => void) | undefined;
}

async function toApiCheck(
  flags: SubjectFlags,
  file: OpenApiFile | undefined,
  { progress, onExchange }: Shown,
): Promise<ApiCheck> {
  const { maxRequests, rate, floor } = flags;
  const given = file && toDocument(file);
  const own =
    isOfCallMedia(given) && flags.caller?.["first"] === undefined
      ? await readTarget(flags, io().env)
      : undefined;
  const { isOwn: _isOwn, ...subject } = await readSubject(flags, given, own?.hints);
  const { document } = subject;
  const callers = Object.entries(flags.caller ?? {}).map(
    ([name, variable]) => [name, toCredentials(document, name, variable)] as const,
  );
  const { first, second, expired, ...schemes } = Object.fromEntries(callers);
  const bodies = Object.entries(flags.body ?? {}).map(
    ([id, variable]) => [id, readBody(document, id, variable)] as const,
  );
  const known = own && toApiTarget(own.target);
  return {
    ...subject,
    target: {
      baseUrl: known?.baseUrl ?? readBaseUrl(flags),
      ...known,
      ...(first && { first }),
      ...(second && { second }),
      ...(expired && { expired }),
      schemes: { ...known?.schemes, ...schemes },
      bodies: { ...known?.bodies, ...Object.fromEntries(bodies) },
    },
    options: {
      mayWrite: flags.write === true,
      isStrict: flags.strict === true,
      ...(flags.open === true && { isOpen: true }),
      ...(flags.emptyOk === true && { isEmptyOk: true }),
      ...(flags.without && { without: flags.without }),
      ...(flags.only && { only: flags.only }),
      ...(maxRequests !== undefined && { maxRequests }),
      ...(rate !== undefined && { requestsPerSecond: rate }),
      ...(floor !== undefined && { floor: floor / 100 }),
      ...(onExchange && { onExchange }),
      explain: explainUnreachable,
      signal: createInterrupt(),
      onProgress: ({ requests, maxRequests: most, doing }) =>
        progress.show(`${requests} of at most ${most} requests: ${doing}`),
    },
  };
}

function readBaseUrl({ baseUrl }: SubjectFlags): string {
  if (baseUrl === undefined)
    throw new UsageError(
      "no service is named: give --base-url, the URL that the paths of the document are relative to",
    );
  return parseBaseUrl(baseUrl);
}

/** Describes the requests of a check with these options, without sending any. */
export async function explainSubject(
  flags: SubjectFlags,
  file: OpenApiFile | undefined,
  width: number,
): Promise<string> {
  const { document, relations, open } = await readSubject(flags, file && toDocument(file));
  const circumstances = {
    mayWrite: flags.write === true,
    hasSecond: flags.caller?.["second"] !== undefined || hasRestricted(io().env),
    instance: open?.(),
    ...(flags.without && { without: flags.without }),
    ...(flags.only && { only: flags.only }),
  };
  return toExplanationText(explain(document, relations, circumstances), width);
}

/** A first relations file in YAML. If a service is given, it contains what its responses show. */
export async function initSubject(
  flags: SubjectFlags,
  file: OpenApiFile | undefined,
): Promise<Partial<FirstRelations> & { readonly text: string }> {
  if (flags.baseUrl === undefined) {
    const { document } = await readSubject(flags, file && toDocument(file));
    return { text: toFirstRelations(document) };
  }
  using progress = createProgressLine(io().stderr);
  return await mineRelations(await toApiCheck(flags, file, { progress, onExchange: undefined }));
}

export function toDocument(file: OpenApiFile): ApiDocument {
  try {
    return parseDocument(file);
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error), { cause: error });
  }
}

const CALLERS: ReadonlySet<string> = new Set(["first", "second", "expired"]);

/**
 * `NAME: value` is a header. Any other text is a credential for the document's main scheme: user:password, a token, or a key.
 *
 * @throws UsageError that names the variable, never its value.
 */
function toCredentials(document: ApiDocument, name: string, variable: string): CallerCredentials {
  const { schemes } = document;
  const text = readVariable(`--caller ${name}`, variable);
  const [, header, value = ""] = /^([\w-]+):\s+(\S.*)$/.exec(text) ?? [];
  if (header !== undefined) return { headers: { [header]: value } };
  const scheme = schemes.get(name) ?? findMainScheme(document);
  if (!schemes.has(name) && !CALLERS.has(name))
    throw new UsageError(
      `--caller ${name}: it is first, second, expired, or a security scheme of the document: ${[...schemes.keys()].join(", ")}`,
    );
  if (scheme?.type === "apiKey" && scheme.in === "query")
    return { headers: {}, query: { [scheme.key]: text } };
  if (scheme?.type === "apiKey")
    return {
      headers:
        scheme.in === "cookie" ? { Cookie: `${scheme.key}=${text}` } : { [scheme.key]: text },
    };
  if (/^(?:basic|bearer) /i.test(text)) return { headers: { Authorization: text } };
  const isBasic = scheme?.scheme === "basic";
  return {
    headers: {
      Authorization: isBasic ? `Basic ${Buffer.from(text).toString("base64")}` : `Bearer ${text}`,
    },
  };
}

/** The scheme that most operations accept, or else the first one: documents also list schemes that no operation names. */
function findMainScheme({ schemes, operations }: ApiDocument) {
  const used = [...operations.values()].flatMap(({ security }) => security.flat());
  const toCount = (name: string): number => used.filter((one) => one === name).length;
  const [main = ""] = [...schemes.keys()].toSorted((one, other) => toCount(other) - toCount(one));
  return schemes.get(main);
}

/** @throws UsageError that names the variable, never its value. */
function readBody({ operations }: ApiDocument, id: string, variable: string): JsonObject {
  if (operations.get(id)?.body === undefined)
    throw new UsageError(
      `--body ${id}: no operation of the document with that id has a body${toSuggestion(id, [...operations.keys()])}`,
    );
  const text = readVariable(`--body ${id}`, variable);
  const body = parseJson(text);
  if (!isObject(body))
    throw new UsageError(`--body ${id}: the environment variable ${variable} holds no JSON object`);
  return body;
}

function readVariable(option: string, variable: string): string {
  const text = io().env[variable];
  // A word that does not look like a variable name may be the secret itself.
  const shown = /^[A-Z_][A-Z\d_]*$/.test(variable) ? variable : "of that name";
  if (text === undefined || text === "")
    throw new UsageError(`${option}: the environment variable ${shown} is not set`);
  return text;
}

/** The report as all formats read it. */
export function toChecked(report: Judged<ApiReport>): CheckedReport {
  const { coverage, kept, skipped, ...rest } = report;
  const isOwn = report.questions.length > 0;
  return {
    ...rest,
    shown: coverage,
    kept: kept.map(({ requirement, operation }) => `${requirement} ${operation}`),
    skipped: skipped.map(({ requirement, operation, why }) => ({
      // Requirements of Call Media are of several operations.
      requirement: isOwn ? requirement : `${requirement} of ${operation}`,
      why,
    })),
  };
}
