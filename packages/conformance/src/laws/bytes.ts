// A response in bytes: its headers are correct, its ranges are parts of the complete file, and it honours conditions on its validator.
import { createHash } from "node:crypto";
import type { Answer, Ask } from "../ask.ts";
import type { Fault } from "../fingerprint.ts";
import type { RuleOf } from "../relations/kinds.ts";
import type { Run } from "../run.ts";
import { findRight } from "../values/requests.ts";
import { at } from "../values/places.ts";
import {
  findDigestFault,
  findHeaderFault,
  findNameFault,
  findTypeFault,
  type Received,
} from "./bytes/headers.ts";
import {
  isWanted,
  type Judgement,
  type Law,
  type Unchecked,
  unchecked,
  type Verdicts,
} from "./law.ts";

/** Maximum number of an operation's responses that are read completely. */
const MAX_WHOLES = 5;
/** Shorter files have no distinguishable parts. */
const SHORTEST_BYTES = 8;
/** Headers that must be the same for a part, HEAD and the complete response. */
const SAME_OF_PART = ["ETag", "Repr-Digest", "Last-Modified", "Content-Type"];
const SAME_OF_HEAD = [...SAME_OF_PART, "Content-Length", "Content-Disposition"];

interface Whole {
  readonly rule: RuleOf<"bytes">;
  readonly ask: Ask;
  readonly answer: Answer;
}

export const bytesLaw: Law<"bytes"> = {
  cost: 24,
  judge: async function* judge(rule, { id }, run) {
    const wholes: Whole[] = [];
    let why = "";
    for (let attempt = 0; attempt < MAX_WHOLES; attempt += 1) {
      const right = await findRight(run, id, attempt);
      if (typeof right === "string" || !right.isSure) {
        why ||= typeof right === "string" ? right : "nothing is known to be there";
        break;
      }
      const answer = await askPlain(run, right.ask);
      run.noteRight(answer);
      if (answer.isSuccess) wholes.push({ rule, ask: answer.ask, answer });
      else why ||= `answered ${answer.status}`;
    }
    for (const whole of wholes) {
      yield* judgeWhole(whole);
      yield* judgeSource(run, whole);
      if (rule.ranges === true) yield* judgeRanges(run, whole, [half]);
      if (rule.steady !== undefined && isWanted(rule, "steady")) yield* judgeSteady(run, whole);
    }
    const [first] = wholes;
    if (first === undefined) {
      yield unchecked("bytes", why);
      return;
    }
    yield* judgeHead(run, first);
    if (rule.ranges === true) {
      yield* judgeRanges(run, first, FORMS);
      yield* judgeOthers(run, first);
      yield* judgeRefused(run, first);
    }
    if (rule.conditional === true) yield* judgeConditions(run, first);
  },
};

/** The headers of a compressed response describe the encoded bytes, which `fetch` hides. So it is requested again without compression. */
async function askPlain(run: Run, ask: Ask): Promise<Answer> {
  const answer = await run.ask(ask);
  if (!answer.headers.has("Content-Encoding")) return answer;
  return run.ask({ ...ask, headers: { ...ask.headers, "Accept-Encoding": "identity" } });
}

const told = (clause: string, answer: Answer, fault: Fault | undefined): Judgement => ({
  clause: `bytes.${clause}`,
  answer,
  witness: `${answer.operation.id} in bytes`,
  fault,
});

function* judgeWhole({ rule, answer }: Whole): Generator<Judgement | Unchecked> {
  const { headers, size } = answer;
  const length = headers.get("Content-Length");
  if (headers.has("Content-Encoding"))
    yield unchecked("bytes.length", "the answer is compressed, whatever is asked for");
  else if (length !== null || rule.ranges === true)
    yield told(
      "length",
      answer,
      length === String(size) ? undefined : `Content-Length is ${length ?? "missing"}`,
    );
  if (rule.type === "as-bytes") yield told("type", answer, findTypeFault(answer));
  if (rule.digest !== undefined) yield told("digest", answer, findDigestFault(answer, rule.digest));
  yield told("headers", answer, findHeaderFault(rule, headers));
}

/** Another operation may return the same bytes in base64, with the file name. */
async function* judgeSource(run: Run, { rule, ask, answer }: Whole): Verdicts {
  if (rule.as === undefined) return;
  const source = await run.ask({ operation: rule.as, path: ask.path ?? {} });
  const text = at(source.json, rule.content ?? "");
  if (!source.isSuccess || typeof text !== "string") {
    yield unchecked("bytes.same", `${rule.as} is answered ${source.status}`);
    return;
  }
  const bytes = Buffer.from(text, "base64");
  const isSame = createHash("sha256").update(bytes).digest("hex") === answer.sha256;
  const fault = `the stream has ${answer.size} bytes, base64 stands for ${bytes.length}`;
  const type = answer.headers.get("Content-Type") ?? "";
  yield told(
    "same",
    answer,
    /^application\/json/i.test(type)
      ? `Content-Type is ${type}`
      : isSame
        ? undefined
        : `${fault}${answer.size === bytes.length ? ", which differ" : ""}`,
  );
  if (rule.name !== undefined)
    yield told("name", answer, findNameFault(answer, at(source.json, rule.name)));
}

/** Headers of the recording itself, which a service may leave out: those of a part are those of HEAD. */
async function* judgeSteady(run: Run, { rule, ask, answer: whole }: Whole): Verdicts {
  const head = await run.ask({ ...ask, method: "HEAD" });
  const Range = half(whole.size).asked;
  const part = await run.ask({ ...ask, headers: { ...ask.headers, Range } });
  for (const name of rule.steady ?? []) {
    const [ofHead, ofPart] = [head, part].map(({ headers }) => headers.get(name));
    if (ofHead === null && ofPart === null)
      yield unchecked("bytes.steady", `no answer came with ${name}`);
    else
      yield {
        ...told(
          "steady",
          part,
          ofHead === ofPart ? undefined : `${name} of HEAD is another: ${ofHead}`,
        ),
        saw: name,
      };
  }
}

interface Part {
  readonly asked: string;
  readonly first: number;
  readonly last: number;
}

export const half = (length: number): Part => ({
  asked: `bytes=${length >> 1}-`,
  first: length >> 1,
  last: length - 1,
});

/** Every form of a range (RFC 9110, section 14.1.2), including those that reach beyond the end. */
const FORMS: readonly ((length: number) => Part)[] = [
  () => ({ asked: "bytes=0-3", first: 0, last: 3 }),
  (length) => {
    const middle = length >> 1;
    return { asked: `bytes=${middle}-${middle + 1}`, first: middle, last: middle + 1 };
  },
  (length) => ({ asked: "bytes=-5", first: length - 5, last: length - 1 }),
  (length) => ({ asked: `bytes=4-${length + 100}`, first: 4, last: length - 1 }),
  (length) => ({ asked: `bytes=-${length + 100}`, first: 0, last: length - 1 }),
];

async function* judgeRanges(
  run: Run,
  { ask, answer }: Whole,
  forms: readonly ((length: number) => Part)[],
): Verdicts {
  if (answer.size < SHORTEST_BYTES) return;
  for (const form of forms) {
    const part = form(answer.size);
    const came = await run.ask({ ...ask, headers: { ...ask.headers, Range: part.asked } });
    yield told("range", came, findRangeFault(came, answer, part));
  }
}

export function findRangeFault(came: Received, whole: Received, { asked, first, last }: Part) {
  if (came.status !== 206) return `${asked} is answered ${came.status}`;
  const named = came.headers.get("Content-Range");
  const expected = `bytes ${first}-${last}/${whole.size}`;
  if (named !== expected) return `Content-Range is ${named}, not ${expected}`;
  const part = whole.bytes && Buffer.from(whole.bytes).subarray(first, last + 1);
  const isSame =
    part === undefined ? came.size === last - first + 1 : part.equals(came.bytes ?? EMPTY);
  if (!isSame) return `${asked} brings other bytes`;
  const other = findOther(came, whole, SAME_OF_PART);
  return other && `${other} is another than that of the whole`;
}

const EMPTY = Buffer.alloc(0);

const findOther = (one: Received, whole: Received, names: readonly string[]) =>
  names.find((name) => one.headers.get(name) !== whole.headers.get(name));

/** An unknown unit is ignored (RFC 9110, section 14.2). Several ranges return the complete file or a multipart response (15.3.7.2). */
async function* judgeOthers(run: Run, whole: Whole): Verdicts {
  for (const Range of ["bytes=0-1,4-5", "items=0-1"]) {
    const answer = await run.ask({ ...whole.ask, headers: { ...whole.ask.headers, Range } });
    const type = answer.headers.get("Content-Type") ?? "";
    const isSeveral = Range.includes(",") && /^multipart\/byteranges/i.test(type);
    yield answer.status === 206 && isSeveral
      ? told("range", answer, undefined)
      : toStatus(answer, whole, { clause: "range", status: 200 });
  }
}

/** Unsatisfiable and malformed ranges. A service may ignore a malformed one, unless the rule says otherwise (RFC 9110, section 14.2). */
async function* judgeRefused(run: Run, { ask, answer: whole, rule }: Whole): Verdicts {
  for (const Range of [`bytes=${whole.size}-`, "bytes=5-2", "bytes=x-"]) {
    const answer = await run.ask({ ...ask, headers: { ...ask.headers, Range } });
    const isIgnored = rule.unreadable !== "refused" && answer.status === 200;
    if (isIgnored && !Range.startsWith(`bytes=${whole.size}`)) continue;
    const size = answer.headers.get("Content-Range");
    const isNamed = answer.status === 416 && size === `bytes */${whole.size}`;
    const fault =
      answer.status === 416 ? `Content-Range is ${size}` : `${Range} is answered ${answer.status}`;
    yield told("refused", answer, isNamed ? undefined : fault);
  }
}

/** RFC 9110, sections 13.1.2 and 13.1.5: conditions may also have a list of tags, or a weak tag. */
async function* judgeConditions(run: Run, whole: Whole): Verdicts {
  const etag = whole.answer.headers.get("ETag");
  if (etag === null) return;
  const Range = "bytes=0-3";
  const cases: readonly (Due & { readonly headers: Readonly<Record<string, string>> })[] = [
    { clause: "unchanged", headers: { "If-None-Match": etag }, status: 304 },
    { clause: "unchanged", headers: { "If-None-Match": `"another", ${etag}` }, status: 304 },
    { clause: "unchanged", headers: { "If-None-Match": `W/${etag}` }, status: 304 },
    { clause: "unchanged", headers: { "If-None-Match": '"another"' }, status: 200 },
    ...(whole.rule.ranges === true
      ? ([
          { clause: "if-range", headers: { Range, "If-Range": etag }, status: 206 },
          { clause: "if-range", headers: { Range, "If-Range": '"another"' }, status: 200 },
        ] as const)
      : []),
  ];
  for (const { headers, ...due } of cases)
    yield toStatus(
      await run.ask({ ...whole.ask, headers: { ...whole.ask.headers, ...headers } }),
      whole,
      due,
    );
}

interface Due {
  readonly clause: string;
  /** 206 stands for the first four bytes. */
  readonly status: 200 | 206 | 304;
}

function toStatus(answer: Answer, { answer: whole }: Whole, { clause, status }: Due): Judgement {
  const size = { 200: whole.size, 206: 4, 304: 0 }[status];
  const isRight = answer.status === status && answer.size === size;
  const fault = `the answer is ${answer.status} with ${answer.size} bytes, not ${status} with ${size}`;
  return told(clause, answer, isRight ? undefined : fault);
}

async function* judgeHead(run: Run, { ask, answer: whole }: Whole): Verdicts {
  const answer = await run.ask({ ...ask, method: "HEAD" });
  const other = findOther(answer, whole, SAME_OF_HEAD);
  const fault =
    answer.status === whole.status
      ? other && `${other} is ${answer.headers.get(other)}`
      : `the answer is ${answer.status}`;
  yield told("head", answer, fault ?? (answer.size === 0 ? undefined : "there is a body"));
}
