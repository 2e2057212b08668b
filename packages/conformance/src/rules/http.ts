// HTTP's requirements for every reading operation: HEAD, methods, percent-encoding, validators, ranges, compression.
import type { Answer, Ask } from "../ask.ts";
import type { Operation } from "../document/document.ts";
import { UNKNOWN_METHOD } from "../own.ts";
import type { Run } from "../run.ts";
import { unchecked, type Verdicts } from "../laws/law.ts";
import { findRight } from "../values/requests.ts";
import { isSameAnswer, isSteady } from "../values/same-answer.ts";
import { findResponse } from "./answer.ts";
import type { DocumentRule } from "./rule.ts";

export const http: DocumentRule = {
  name: "http",
  clauses: [
    "http.head",
    "http.method",
    "http.encoding",
    "http.conditional",
    "http.range",
    "http.compression",
  ],
  cost: () => 8,
  applies: ({ method }) => method === "GET",
  needs: () => [],
  isBetween: true,
  judge: async function* judge(operation, run) {
    const right = await findRight(run, operation.id);
    if (typeof right === "string") {
      yield unchecked("http", right);
      return;
    }
    const get = await run.ask(right.ask);
    if (!get.isSuccess) {
      yield unchecked("http", `answered ${get.status}`);
      return;
    }
    const asked = { ask: right.ask, get };
    yield* judgeHead(run, asked);
    yield* judgeMethods(run, asked);
    yield* judgeEncoding(run, asked);
    yield* judgeValidators(run, asked);
    yield* judgeRange(run, asked);
    yield* judgeCompression(run, asked);
  },
};

interface Asked {
  readonly ask: Ask;
  readonly get: Answer;
}

const WITNESS = "a success of GET";
const UNSTEADY = "the same request has another answer each time";

/** True if the document gives HEAD a meaning of its own, such as whether a name is taken. */
export const hasOwnHead = (run: Run, { path }: Operation): boolean =>
  [...run.document.operations.values()].some((one) => one.method === "HEAD" && one.path === path);

async function* judgeHead(run: Run, { ask, get }: Asked): Verdicts {
  if (hasOwnHead(run, get.operation)) return;
  const head = await run.ask({ ...ask, method: "HEAD" });
  if (!head.isSuccess) {
    yield {
      clause: "http.head",
      answer: head,
      witness: WITNESS,
      level: "should",
      fault: `GET succeeds, and HEAD is answered ${head.status}`,
    };
    return;
  }
  const status =
    head.status === get.status
      ? undefined
      : `HEAD is answered ${head.status}, and GET ${get.status}`;
  const odd = findOddHeader(get, head);
  yield {
    clause: "http.head",
    answer: head,
    witness: WITNESS,
    fault:
      status ??
      (odd === undefined
        ? undefined
        : {
            at: odd,
            fault: `HEAD has another ${odd} than GET: ${head.headers.get(odd)}, not ${get.headers.get(odd)}`,
          }),
  };
}

/**
 * The header in which HEAD differs from GET. HEAD may omit ETag and Content-Length, which a server may not know before it has made the body
 * (RFC 9110, 9.3.2). A compressed body has different ones.
 */
export function findOddHeader(get: Answer, head: Answer): string | undefined {
  const [of, from] = [get.headers, head.headers];
  const isCodedApart = of.get("Content-Encoding") !== from.get("Content-Encoding");
  const isOtherOfBody = (name: string) =>
    !isCodedApart && from.has(name) && of.get(name) !== from.get(name);
  if (of.get("Content-Type") !== from.get("Content-Type")) return "Content-Type";
  if (isOtherOfBody("ETag")) return "ETag";
  return of.has("Content-Length") && isOtherOfBody("Content-Length") ? "Content-Length" : undefined;
}

async function* judgeMethods(run: Run, { ask, get }: Asked): Verdicts {
  const odd = await run.ask({ ...ask, method: UNKNOWN_METHOD });
  yield {
    clause: "http.method",
    answer: odd,
    witness: WITNESS,
    fault: odd.isSuccess ? "a method that nobody knows succeeds" : undefined,
  };
  const { operations } = run.document;
  const declared = [...operations.values()]
    .filter(({ path }) => path === get.operation.path)
    .map(({ method }) => method);
  const written = (odd.headers.get("Allow") ?? "").split(",");
  const allowed = new Set(written.map((method) => method.trim().toUpperCase()));
  const missing = odd.status === 405 ? declared.find((method) => !allowed.has(method)) : undefined;
  if (odd.status === 405)
    yield {
      clause: "http.allow",
      answer: odd,
      witness: "405",
      ...(!promisesAllow(get.operation) && { level: "should" as const }),
      fault:
        missing === undefined
          ? undefined
          : { at: missing, fault: `405 does not name ${missing} in Allow` },
    };
}

/** Like the challenge: if the document does not promise Allow with 405, it is only a recommendation. */
const promisesAllow = ({ responses }: Operation): boolean =>
  findResponse(responses, 405)?.headers.some(({ name }) => /^allow$/i.test(name)) === true;

/**
 * An unreserved letter in a parameter may be written as %xx without changing the meaning. Few routers also decode the fixed part of a path:
 * there it is only a recommendation.
 */
async function* judgeEncoding(run: Run, { ask, get }: Asked): Verdicts {
  const isOfParameter =
    get.operation.path.endsWith("}") || /=[\w-]*[a-z\d]/i.test(new URL(get.sent.url).search);
  const answer = await run.ask({ ...ask, rewrite: escapeLetter });
  const isSame = answer.status === get.status && isSameAnswer(run, answer, get);
  if (!isSame && !(await isSteady(run, get))) {
    yield unchecked("http.encoding", UNSTEADY);
    return;
  }
  const came = answer.status === get.status ? "another one" : answer.status;
  const fault = isSame ? undefined : `with a letter as %xx the answer is ${came}`;
  yield {
    clause: "http.encoding",
    answer,
    witness: WITNESS,
    ...(!isOfParameter && { level: "should" as const }),
    fault,
  };
}

/** Escapes the first letter of the query's first value, or of the last segment of the path. */
export function escapeLetter(target: string): string {
  const escape = (letter: string) => `%${(letter.codePointAt(0) ?? 0).toString(16)}`;
  const [path = "", query] = target.split(/\?(.*)/s);
  if (query === undefined || query === "") return path.replace(/[a-z\d](?=[^/]*$)/i, escape);
  return `${path}?${query.replace(/(?<==)[a-z\d]/i, escape)}`;
}

async function* judgeValidators(run: Run, { ask, get }: Asked): Verdicts {
  const [tag, modified] = ["ETag", "Last-Modified"].map((name) => get.headers.get(name));
  if (tag) {
    const same = await run.ask({ ...ask, headers: { ...ask.headers, "If-None-Match": tag } });
    if (same.status === 304) {
      const shown = same.headers.get("ETag");
      yield {
        clause: "http.conditional",
        answer: same,
        witness: "304",
        fault:
          shown === tag ? undefined : `304 has ${shown === null ? "no ETag" : `the ETag ${shown}`}`,
      };
    } else
      yield {
        clause: "http.conditional",
        answer: same,
        witness: "the current ETag",
        level: "observe",
        fault: "If-None-Match is not heeded",
      };
    const other = await run.ask({
      ...ask,
      headers: { ...ask.headers, "If-None-Match": '"no-such-tag"' },
    });
    yield {
      clause: "http.conditional",
      answer: other,
      witness: "another ETag",
      fault: other.status === 304 ? "another ETag is answered 304" : undefined,
    };
  } else if (modified) {
    const old = await run.ask({
      ...ask,
      headers: { ...ask.headers, "If-Modified-Since": "Thu, 01 Jan 1970 00:00:00 GMT" },
    });
    yield {
      clause: "http.conditional",
      answer: old,
      witness: "an old date",
      fault: old.status === 304 ? "a date long before Last-Modified is answered 304" : undefined,
    };
  }
}

/** Requests ranges of the plain bytes: `fetch` hides those of a compressed response. */
async function* judgeRange(run: Run, { ask, get }: Asked): Verdicts {
  const plain = get.headers.has("Content-Encoding") ? await run.ask(toPlain(ask)) : get;
  if (plain.size < 4 || plain.headers.has("Content-Encoding")) return;
  const answer = await run.ask({
    ...plain.ask,
    headers: { ...plain.ask.headers, Range: "bytes=1-2" },
  });
  if (answer.status !== 206) {
    const isOther = answer.status === 200 && !isSameAnswer(run, answer, plain);
    yield isOther && !(await isSteady(run, plain))
      ? unchecked("http.range", UNSTEADY)
      : {
          clause: "http.range",
          answer,
          witness: "a range",
          fault: isOther ? "a range that is ignored gives another body" : undefined,
        };
    return;
  }
  const range = answer.headers.get("Content-Range");
  const expected = `bytes 1-2/${plain.size}`;
  const isRight = (range === expected || range === "bytes 1-2/*") && answer.size === 2;
  yield {
    clause: "http.range",
    answer,
    witness: "206",
    fault: isRight
      ? undefined
      : `bytes=1-2 has Content-Range ${range ?? "missing"} and ${answer.size} bytes, not ${expected}`,
  };
}

const toPlain = (ask: Ask): Ask => ({
  ...ask,
  headers: { ...ask.headers, "Accept-Encoding": "identity" },
});

/** Built-in `fetch` requests compression and decodes it: the decoded bytes are compared. */
async function* judgeCompression(run: Run, { ask, get }: Asked): Verdicts {
  const answer = await run.ask(toPlain(ask));
  const came = get.headers.get("Content-Encoding");
  const isSame = answer.isSuccess && isSameAnswer(run, answer, get);
  yield isSame || (await isSteady(run, get))
    ? {
        clause: "http.compression",
        answer,
        witness: came ?? "identity",
        fault: isSame ? undefined : "without compression comes another body",
      }
    : unchecked("http.compression", UNSTEADY);
  if (came === null) return;
  const isTold = /accept-encoding|\*/i.test(get.headers.get("Vary") ?? "");
  yield {
    clause: "http.compression",
    answer: get,
    witness: came,
    level: "should",
    fault: isTold ? undefined : "a compressed answer has no Vary: Accept-Encoding",
  };
}
