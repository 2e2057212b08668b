// Equivalent requests get the same response: JSON in another order, parameters in another order, defaults left out.
import { isObject, type JsonObject } from "@call-media/contract-diff";
import { type Answer, type Ask, SAFE_METHODS } from "../ask.ts";
import { unchecked, type Verdicts } from "../laws/law.ts";
import { isJson } from "../document/document.ts";
import type { Run } from "../run.ts";
import { mediaOf } from "../values/fields.ts";
import { findRight } from "../values/requests.ts";
import { rowsOf } from "../values/lists.ts";
import { toText } from "../values/places.ts";
import { isSameAnswer, isSteady, toComparable } from "../values/same-answer.ts";
import { isDeepStrictEqual } from "node:util";
import { isWithin } from "./answer.ts";
import type { DocumentRule } from "./rule.ts";

export const sameJson: DocumentRule = {
  name: "json",
  clauses: ["json.same", "http.media-type"],
  cost: () => 3,
  applies: ({ body }) => body?.media.some(({ type }) => isJson(type)) === true,
  needs: ({ method }) => (SAFE_METHODS.has(method) ? [] : ["write"]),
  isBetween: true,
  judge: async function* judge(operation, run) {
    const right = await findRight(run, operation.id);
    const body = typeof right === "string" ? undefined : right.ask.body;
    if (typeof right === "string" || !isObject(body) || operation.method === "DELETE") {
      yield unchecked(
        "json.same",
        typeof right === "string" ? right : "it has no JSON object as body",
      );
      return;
    }
    const plain = { ...right.ask, body };
    yield* judgeNotation(run, plain);
    yield* judgeMediaType(run, plain);
  },
};

async function* judgeNotation(run: Run, plain: Ask & { readonly body: JsonObject }): Verdicts {
  const { type = "application/json" } = mediaOf(run.operation(plain.operation)) ?? {};
  const send = (mediaType: string) =>
    run.askAgain({
      ...plain,
      text: toOtherwise(plain.body),
      headers: { ...plain.headers, "Content-Type": mediaType },
    });
  const written = await send(`${type.toUpperCase()}; Charset=UTF-8`);
  // A body rejected for another reason is also rejected in its usual form.
  const usual = written.isSuccess ? written : await run.askAgain(plain);
  const isSame = usual.status === written.status;
  const isOfType = !isSame && (await send(type)).status === usual.status;
  const witness = usual.isSuccess ? "a right body" : undefined;
  const came = `answered ${written.status}, not ${usual.status}`;
  yield {
    clause: "json.same",
    answer: written,
    witness,
    fault:
      isSame || isOfType
        ? undefined
        : `with its keys in another order, blanks and \\u escapes a body is ${came}`,
  };
  yield {
    clause: "http.media-type",
    answer: written,
    witness,
    fault: isOfType
      ? {
          at: "charset",
          fault: `with upper case and a charset in its media type a body is ${came}`,
        }
      : undefined,
  };
}

/** JSON declared as another type: browsers send text/plain to other sites without a preflight request. */
async function* judgeMediaType(run: Run, plain: Ask & { readonly body: JsonObject }): Verdicts {
  const { body } = run.operation(plain.operation);
  const other = ["text/plain", "application/xml"].find((type) =>
    body?.media.every((one) => !isWithin(type, one.type)),
  );
  if (other === undefined) return;
  const answer = await run.askAgain({
    ...plain,
    headers: { ...plain.headers, "Content-Type": other },
  });
  yield {
    clause: "http.media-type",
    answer,
    witness: `a body of ${other}`,
    // RFC 9110, 15.5.16: a service may choose to accept it.
    level: "should",
    fault: answer.isSuccess
      ? {
          at: other,
          fault: `a body of ${other}, which is not documented, is answered ${answer.status} and not 415`,
        }
      : undefined,
  };
}

/** Reverses the keys, adds whitespace, and escapes every non-ASCII character. */
function toOtherwise(body: JsonObject): string {
  const reversed = Object.fromEntries(Object.entries(body).toReversed());
  return JSON.stringify(reversed, undefined, 3).replaceAll(
    /[^ -~\n]/g,
    (character) => String.raw`\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** A parameter that names the default of an order promises that order. */
const SORTING = /sort|order|direction/i;

export const sameQuery: DocumentRule = {
  name: "defaults",
  clauses: ["default.same", "query.same"],
  cost: () => 3,
  applies: ({ method, parameters }) =>
    method === "GET" && parameters.some((one) => one.in === "query"),
  needs: () => [],
  isBetween: true,
  judge: async function* judge(operation, run) {
    const right = await findRight(run, operation.id);
    if (typeof right === "string") {
      yield unchecked("query.same", right);
      return;
    }
    const bare = await run.ask(right.ask);
    if (!bare.isSuccess) return;
    const { schemas } = run.document;
    const isList = run.listInfo(operation.id) !== undefined;
    const toRows = (answer: Answer, isSorted: boolean) =>
      isSorted ? rowsOf(run, answer) : toComparable(run, operation.id, rowsOf(run, answer));
    const isSame = (one: Answer, other: Answer, isSorted = false) =>
      isList
        ? isDeepStrictEqual(toRows(one, isSorted), toRows(other, isSorted))
        : isSameAnswer(run, one, other);
    const defaults = operation.parameters.flatMap(({ name, in: where, schema, required }) => {
      const value = schema === undefined ? undefined : schemas.view(schema).said["default"];
      return value === undefined ||
        where !== "query" ||
        required ||
        right.ask.query?.[name] !== undefined
        ? []
        : [[name, value] as const];
    });
    for (const [name, value] of defaults) {
      const full = await run.ask({ ...right.ask, query: { ...right.ask.query, [name]: value } });
      yield {
        clause: "default.same",
        answer: full,
        witness: `the default of ${name}`,
        fault:
          isSame(bare, full, SORTING.test(name)) || !(await isSteady(run, bare))
            ? undefined
            : { at: name, fault: `left out, ${name} is not as ${name}=${toText(value)}` },
      };
    }
    const query = Object.entries({ ...right.ask.query, ...Object.fromEntries(defaults) });
    if (query.length < 2) return;
    const [forth, back] = [Object.fromEntries(query), Object.fromEntries(query.toReversed())];
    const [one, other] = [
      await run.ask({ ...right.ask, query: forth }),
      await run.askAgain({ ...right.ask, query: back }),
    ];
    yield {
      clause: "query.same",
      answer: other,
      witness: "two parameters",
      fault:
        (one.status === other.status && isSame(one, other)) || !(await isSteady(run, one))
          ? undefined
          : "with its parameters in another order a request has another answer",
    };
  },
};
