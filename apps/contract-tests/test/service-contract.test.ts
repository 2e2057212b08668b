// The real service over HTTP, operation by operation, against the document: every status it documents, provoked and checked.
import { routes } from "@call-media/api";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createAnswerCheck, createErrorCheck } from "../src/answer-check.ts";
import { type ReceivedAnswer, send, toJson } from "../src/exchange.ts";
import { type ServiceCase, toCaseRequest } from "../src/service-case.ts";
import { serviceCases } from "../src/service-cases.ts";
import { createWorld, type World } from "../src/world.ts";

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world[Symbol.asyncDispose]());

describe("an operation", () => {
  const check = createAnswerCheck();

  test.each(serviceCases)("$operation: $title is answered $status", async (entry) => {
    const request = toCaseRequest(entry, world);
    const answer = await send(request);
    expect(answer.status).toBe(entry.status);
    const faults = check(entry.route, answer, request.method);
    expect([...faults, ...findMisses(entry, answer)]).toEqual([]);
  });

  test.each(serviceCases.filter(({ isHead }) => isHead))(
    "$operation: HEAD has the headers of GET",
    async (entry) => {
      const head = toCaseRequest(entry, world);
      const answers = [await send(head), await send(new Request(head, { method: "GET" }))];
      const [ofHead, ofGet] = answers.map(({ headers }) => toLastingHeaders(headers));
      expect(ofHead).toEqual(ofGet);
    },
  );

  test("every documented status was provoked but those that nobody outside can bring about", () => {
    const documented = routes.flatMap(({ operationId, responses }) =>
      Object.keys(responses).map((status) => `${operationId} ${status}`),
    );
    const provoked = new Set(serviceCases.map(({ operation, status }) => `${operation} ${status}`));
    // The one thing that is answered 503 is a recording that was lost: the other operations have none.
    const unreachable = routes.filter(({ responses }) => !("404" in responses));
    expect(documented.filter((answer) => !provoked.has(answer))).toEqual(
      unreachable.map(({ operationId }) => `${operationId} 503`),
    );
  });
});

describe("requests outside the operations", () => {
  // 404 and 405 have the form that every error has (the document's introduction).
  const error = routes[0]?.responses["500"];
  const check = createErrorCheck(error ?? { description: "" });
  const paths = [...new Set(routes.map(({ path }) => path))];
  const methods = ["GET", "POST", "PUT", "PATCH", "DELETE"];
  const taken = paths.map((path) => ({
    path,
    allowed: routes.filter((route) => route.path === path).map(({ method }): string => method),
  }));
  const wrong = taken.flatMap(({ path, allowed }) =>
    methods
      .filter((method) => !allowed.includes(method))
      .map((method) => ({ path, method, allowed })),
  );

  test.each(wrong)("$method $path is answered 405", async ({ path, method, allowed }) => {
    const answer = await send(new Request(`${world.baseUrls.open}${path}`, { method }));
    expect(answer.status).toBe(405);
    expect(check(answer)).toEqual([]);
    const allow = answer.headers.get("Allow")?.split(", ");
    const named = allowed.flatMap((name) => (name === "GET" ? ["GET", "HEAD"] : name));
    expect(allow).toEqual([...named, "OPTIONS"]);
  });

  const unknown = ["/Token/", "/token", "/flags", "/metadata/by-call-id/", "/chat/by-call-id/a/b"];
  test.each(unknown)("%s is answered 404", async (path) => {
    const answer = await send(new Request(`${world.baseUrls.open}${path}`));
    expect(answer.status).toBe(404);
    expect(check(answer)).toEqual([]);
  });
});

/** What the case asks for beyond the document: data, or a sentence that names the fault. */
function findMisses({ isFilled, about }: ServiceCase, answer: ReceivedAnswer): string[] {
  const { errorMessage = "" } = about === undefined ? {} : toEnvelope(answer);
  const isNamed = errorMessage?.toLowerCase().includes((about ?? "").toLowerCase());
  return [
    ...(isFilled && !hasData(answer) ? ["the data are missing"] : []),
    ...(isNamed ? [] : [`"${errorMessage}" does not name ${about}`]),
  ];
}

function hasData(answer: ReceivedAnswer): boolean {
  const isJson = answer.headers.get("Content-Type")?.startsWith("application/json");
  if (!isJson) return answer.body.length > 0;
  const { data } = toEnvelope(answer);
  return data === undefined || Object.keys(data).length > 0;
}

function toEnvelope(answer: ReceivedAnswer): { errorMessage?: string | null; data?: object } {
  return toJson(answer) as ReturnType<typeof toEnvelope>; // its schema was checked before
}

// These headers belong to the exchange or the connection, which fetch does not keep after a HEAD.
const PASSING = new Set(["date", "x-request-id", "connection", "keep-alive"]);

function toLastingHeaders(headers: Headers): object {
  return Object.fromEntries([...headers].filter(([name]) => !PASSING.has(name)));
}
