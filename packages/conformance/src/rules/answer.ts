// What every response must satisfy: status, media type, headers and body as documented and as the RFCs require.
import type { Answer } from "../ask.ts";
import {
  type ApiDocument,
  isJson,
  type Operation,
  type Response,
  toEssence,
} from "../document/document.ts";
import type { SchemaFault } from "../document/schemas.ts";
import { findNameTwice } from "../json/names-twice.ts";
import { toBodyFault } from "../json/fault-words.ts";
import type { Judgement } from "../laws/law.ts";

/** Statuses that HTTP permits for any request. They are only observed if they are not documented. */
const ORDINARY: ReadonlySet<number> = new Set([
  304, 400, 401, 403, 404, 405, 406, 408, 409, 411, 412, 413, 414, 415, 416, 417, 421, 422, 429,
  431, 501, 503,
]);

export interface AnswerRules {
  readonly document: ApiDocument;
  /** True if undocumented fields are permitted. */
  readonly isOpen: boolean;
  /** Credentials of the run, each in the form in which it is sent. */
  readonly credentials: readonly string[];
}

export function* judgeAnswer(answer: Answer, rules: AnswerRules): Generator<Judgement> {
  const { status, operation, method } = answer;
  const witness = `an answer ${status}`;
  const told = (clause: string, fault?: string): Judgement => ({ clause, answer, witness, fault });
  yield told("answer.server-error", isServerError(answer) ? `answered ${status}` : undefined);
  yield* judgeForm(answer, told);
  if (rules.credentials.length > 0)
    yield told("answer.secrets", findCredential(answer, rules.credentials));
  if (method !== operation.method) return;
  const documented = findResponse(operation.responses, status);
  if (documented === undefined) {
    const isOrdinary = ORDINARY.has(status) || status >= 500;
    const fault = isOrdinary
      ? undefined
      : { at: String(status), fault: `status ${status} is not documented` };
    yield { ...told("answer.status"), fault, ...(isOrdinary && { level: "observe" as const }) };
    return;
  }
  yield told("answer.status");
  yield* judgeHeaders(answer, documented, rules);
  yield* judgeBody(answer, documented, rules);
}

/** Excludes Set-Cookie: a service renews a cookie by sending it back. */
function findCredential(
  { headers, text }: Answer,
  credentials: readonly string[],
): string | undefined {
  const shows = (shown: string) => credentials.some((one) => shown.includes(one));
  const [name] = [...headers].find(([key, value]) => key !== "set-cookie" && shows(value)) ?? [];
  if (name !== undefined) return `the header ${name} has the caller's credentials in it`;
  return shows(text) ? "the body has the caller's credentials in it" : undefined;
}

const isServerError = ({ status, headers }: Answer): boolean =>
  status >= 500 && status !== 501 && !(status === 503 && headers.has("Retry-After"));

export const findResponse = (
  responses: readonly Response[],
  status: number,
): Response | undefined =>
  responses.find((one) => one.status === String(status)) ??
  responses.find((one) => one.status.toUpperCase() === `${Math.floor(status / 100)}XX`) ??
  responses.find((one) => one.status === "default" && (status < 400 || hasSuccess(responses)));

/** Without a success, `default` says what a success looks like: generators write it for a handler without a status. */
const hasSuccess = (responses: readonly Response[]): boolean =>
  responses.some(({ status }) => /^[23]/.test(status));

type Told = (clause: string, fault?: string) => Judgement;

/**
 * True if the document promises a challenge with 401. Many services send none and do not promise one: for these, RFC 9110 is only a
 * recommendation.
 */
export const promisesChallenge = ({ responses }: Operation): boolean =>
  findResponse(responses, 401)?.headers.some(({ name }) => /^www-authenticate$/i.test(name)) ===
  true;

function* judgeForm(answer: Answer, told: Told): Generator<Judgement> {
  const { status, headers, size, method, text } = answer;
  const isBodiless = status === 204 || status === 304 || method === "HEAD";
  if (isBodiless)
    yield told(
      "answer.no-body",
      size > 0 ? `${method === "HEAD" ? "HEAD" : status} has a body of ${size} bytes` : undefined,
    );
  const length = headers.get("Content-Length");
  if (length !== null && !isBodiless && !headers.has("Content-Encoding"))
    yield told(
      "answer.length",
      Number(length) === size ? undefined : `Content-Length is ${length}, and ${size} bytes came`,
    );
  const modified = Date.parse(headers.get("Last-Modified") ?? "");
  const date = Date.parse(headers.get("Date") ?? "");
  if (!Number.isNaN(modified) && !Number.isNaN(date))
    yield told(
      "http.last-modified",
      modified > date ? "Last-Modified is later than Date" : undefined,
    );
  if (status === 401)
    yield {
      ...told(
        "auth.challenge",
        headers.has("WWW-Authenticate") ? undefined : "401 has no WWW-Authenticate",
      ),
      ...(!promisesChallenge(answer.operation) && { level: "should" }),
    };
  if (isJson(headers.get("Content-Type") ?? "") && text !== "") yield* judgeJson(answer, told);
}

function* judgeJson(answer: Answer, told: Told): Generator<Judgement> {
  const { json, text, status } = answer;
  yield told(
    "answer.json",
    json === undefined
      ? "the body is no JSON"
      : text.isWellFormed() && !/\\ud[89ab][\da-f]{2}(?!\\ud[c-f])/i.test(text)
        ? undefined
        : "the body has a lone surrogate",
  );
  if (json === undefined) return;
  const twice = findNameTwice(text);
  yield {
    ...told(
      "answer.names",
      twice === undefined ? undefined : `${twice} stands twice in one object`,
    ),
    level: "should",
  };
  const isProblem =
    toEssence(answer.headers.get("Content-Type") ?? "") === "application/problem+json";
  const written: unknown =
    isProblem && typeof json === "object" && json !== null
      ? Reflect.get(json, "status")
      : undefined;
  if (written !== undefined)
    yield told(
      "answer.problem",
      written === status
        ? undefined
        : `the problem's status is ${JSON.stringify(written)}, that of the answer ${status}`,
    );
}

function* judgeHeaders(
  answer: Answer,
  { headers }: Response,
  { document }: AnswerRules,
): Generator<Judgement> {
  for (const { name, required, schema } of headers) {
    const value = answer.headers.get(name);
    const witness = `an answer with ${name}`;
    if (value === null) {
      if (required)
        yield {
          clause: "answer.headers",
          answer,
          witness,
          fault: { at: name, fault: `the header ${name} is missing` },
        };
      continue;
    }
    const types = schema === undefined ? [] : document.schemas.view(schema).types;
    const isNumber = types.includes("integer") || types.includes("number");
    const parsed = isNumber
      ? Number(value)
      : types.includes("boolean")
        ? value === "true" || (value === "false" ? false : value)
        : value;
    const faults =
      schema === undefined || types.includes("array") || types.includes("object")
        ? []
        : document.schemas
            .validatorOf(
              schema,
              "open",
            )(parsed)
            // An address may be relative (RFC 9110, 10.2.2).
            .filter(({ keyword }) => keyword !== "format" || !/location$/i.test(name));
    yield {
      clause: "answer.headers",
      answer,
      witness,
      fault: faults[0] && {
        at: name,
        fault: `the header ${name}: ${toBodyFault(faults[0]).fault.replace(/^the body: /, "")}`,
      },
    };
  }
}

function* judgeBody(
  answer: Answer,
  { media }: Response,
  { document, isOpen }: AnswerRules,
): Generator<Judgement> {
  const { headers, status, json, size } = answer;
  if (media.length === 0 || status === 304) return;
  const type = toEssence(headers.get("Content-Type") ?? "");
  // A response to HEAD has no body, and need not say what it would be.
  if (answer.method === "HEAD" && type === "") return;
  const documented = media.find((one) => isWithin(type, one.type));
  const witness = `an answer ${status}`;
  const expected = media.map((one) => one.type).join(" or ");
  yield {
    clause: "answer.content-type",
    answer,
    witness,
    fault:
      documented === undefined
        ? {
            at: String(status),
            fault: `the content type of ${status} is ${type === "" ? "missing" : type}, not ${expected}`,
          }
        : undefined,
  };
  if (documented?.schema === undefined || !isJson(type)) return;
  if (json === undefined) {
    if (size === 0 && answer.method !== "HEAD")
      yield { clause: "answer.json", answer, witness, fault: `the body of ${status} is empty` };
    return;
  }
  const { schema } = documented;
  const faults = document.schemas
    .validatorOf(
      schema,
      isOpen ? "open" : "closed",
    )(json)
    .filter((fault) => !document.isAdmitted(schema, fault) && !isProblemMember(type, fault));
  const places = Map.groupBy(
    toNearest(faults),
    ({ instancePath, keyword, params }) =>
      `${instancePath.replaceAll(/\/\d+(?=\/|$)/g, "/*")} ${keyword} ${JSON.stringify(params)}`,
  );
  if (faults.length === 0)
    yield { clause: "answer.schema", answer, witness: `a body of ${status}` };
  for (const [first] of places.values())
    if (first !== undefined)
      yield { clause: "answer.schema", answer, witness, fault: toBodyFault(first) };
}

const UNIONS: ReadonlySet<string> = new Set(["oneOf", "anyOf"]);
/** What another schema of a union would also say, or what says only that this is the wrong one. */
const UNTELLING: ReadonlySet<string> = new Set(["unevaluatedProperties", "const", "enum", "type"]);

/** A value that fits no schema of a union has the faults of each: one of them suffices, the one that tells most. */
function toNearest(faults: readonly SchemaFault[]): readonly SchemaFault[] {
  const isBelow = (one: SchemaFault, union: SchemaFault): boolean =>
    one.instancePath === union.instancePath ||
    one.instancePath.startsWith(`${union.instancePath}/`);
  const unions = faults.filter(({ keyword }) => UNIONS.has(keyword));
  const outer = unions.filter(
    (one, index) =>
      !unions.some(
        (other, at) =>
          isBelow(one, other) && (one.instancePath !== other.instancePath || at < index),
      ),
  );
  const toRank = ({ keyword, instancePath }: SchemaFault): number =>
    instancePath.split("/").length -
    (UNTELLING.has(keyword) ? 100 : 0) -
    (keyword === "unevaluatedProperties" ? 100 : 0);
  const nearest = outer.map((union) =>
    faults
      .filter((one) => !UNIONS.has(one.keyword) && isBelow(one, union))
      .reduce((best, one) => (best === union || toRank(one) > toRank(best) ? one : best), union),
  );
  const others = faults.filter((one) => !outer.some((union) => isBelow(one, union)));
  return [...nearest, ...others];
}

/** Members that a problem may have, whatever its schema says (RFC 9457, 3.1). */
const PROBLEM_MEMBERS: ReadonlySet<unknown> = new Set([
  "type",
  "title",
  "status",
  "detail",
  "instance",
]);

const isProblemMember = (type: string, { instancePath, params }: SchemaFault): boolean =>
  type === "application/problem+json" &&
  instancePath === "" &&
  PROBLEM_MEMBERS.has(params["unevaluatedProperty"]);

/** `image/*` includes every type of image. */
export function isWithin(type: string, range: string): boolean {
  const [main = "", sub = ""] = range.split("/");
  return range === type || range === "*/*" || (sub === "*" && type.startsWith(`${main}/`));
}
