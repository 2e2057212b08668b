// The examples of the document are requests to the demo service and its answers, refusals and headers included: what the
// reference shows can be tried.
import { type HeaderObject, type OperationId, type Route, routes } from "@call-media/api";
import { afterAll, beforeAll, expect, test } from "vitest";
import { differences, toExampleRequests } from "../src/example-requests.ts";
import { type ExampleServices, startExampleServices } from "../src/example-services.ts";
import { type DocumentedAnswer, documentedAnswers } from "../src/examples.ts";
import { type ReceivedAnswer, send, toJson, toRequest, withBearer } from "../src/exchange.ts";
import { type Input, toExampleInput } from "../src/input.ts";

/** The answers of the demo service by the operation and the example that shows them. */
const received = new Map<string, readonly ReceivedAnswer[]>();
let services: ExampleServices;

beforeAll(async () => {
  services = await startExampleServices();
  for (const answer of shown) {
    const requests = toExampleRequests(answer, services);
    received.set(toKey(answer), await Promise.all(requests.map(send)));
  }
});
afterAll(() => services[Symbol.asyncDispose]());

/** What the demo service cannot be brought to: every user of it has a public flag, and only a recording can be lost. */
function isChatUnknown({ operation, example, route }: DocumentedAnswer): boolean {
  const isLost = example === "Unavailable" && !("404" in route.responses);
  return isLost || (operation === "listPublicFlags" && example === "NoFlags");
}

const shown = documentedAnswers.filter((answer) => !isChatUnknown(answer));

test.each(shown)("$operation answers $status $example", (answer) => {
  const answers = received.get(toKey(answer)) ?? [];
  expect(answers).not.toHaveLength(0);
  for (const one of answers) {
    expect(one.status).toBe(Number(answer.status));
    expect(toShownBody(one)).toEqual(toShape(answer.value));
    const { expected, found } = compareHeaders(answer, one);
    expect(found).toEqual(expected);
  }
});

const leads = shown.flatMap((answer) =>
  Object.values(answer.route.responses[answer.status]?.links ?? {}).map((link) => ({
    ...answer,
    ...link,
    values: Object.entries(link.parameters).map(
      ([name, expression]) => [name, findIn(answer.value, expression)] as const,
    ),
  })),
);
const followed = leads.filter(({ values }) => values.every(([, value]) => value !== undefined));

test.each(followed)("$operation $example leads to $operationId", async (lead) => {
  const route = findRoute(lead.operationId as OperationId); // redocly holds links to operations that are there
  const given = Object.fromEntries(lead.values);
  const answer = await ask(route, {
    path: given,
    query: route.path.includes("{") ? {} : given,
    header: {},
  });
  expect(answer.status).toBe(200);
});

test("every link is followed from an example", () => {
  const toName = ({ operation, operationId }: (typeof leads)[number]) =>
    `${operation} ${operationId}`;
  expect(new Set(followed.map(toName))).toEqual(new Set(leads.map(toName)));
});

const conditional = routes.filter(({ responses }) => "304" in responses);

test.each(conditional)(
  "$operationId is asked by its example for a copy that is current",
  async (route) => {
    const answer = await ask(route, toExampleInput(route));
    expect(answer.status).toBe(304);
    expect(answer.body).toHaveLength(0);
    const { expected, found } = compareHeaders({ route, status: "304", example: "" }, answer);
    expect(found).toEqual(expected);
  },
);

test("the example of a whole range is taken, and finds calls", async () => {
  const route = findRoute("searchMetadataByCustomFields");
  const body = route.body?.examples?.["WholeRange"]?.value;
  const answer = toJson(await ask(route, { ...toExampleInput(route), body }));
  expect(answer).toMatchObject({ isError: false, pageID: 0 });
  expect(answer).not.toMatchObject({ recordCount: 0 });
});

test("the example of Link is where a search with more than a page of calls goes on", async () => {
  const route = findRoute("searchMetadata");
  const query = { pageIndex: 0, startDate: "2026-03-01", endDate: "2026-03-31" };
  const body = { campaign: "Outage Line" };
  const { headers } = await ask(route, { ...toExampleInput(route), query, body });
  expect(headers.get("Link")).toBe(route.responses["200"]?.headers?.["Link"]?.example);
});

test("every other example of a header goes with an answer that was compared", () => {
  const compared = new Set(
    shown.flatMap((place) =>
      (received.get(toKey(place)) ?? []).flatMap((answer) =>
        Object.keys(compareHeaders(place, answer).found).map(
          (name) => `${name}: ${String(toExample(place, name))}`,
        ),
      ),
    ),
  );
  const documented = routes
    .flatMap(({ responses }) => Object.values(responses))
    .flatMap(({ headers = {} }) => Object.entries(headers).flatMap(toHeaderLines));
  const others = new Set(documented.filter((line) => !line.startsWith("Link: ")));
  expect([...others].filter((line) => !compared.has(line))).toEqual([]);
});

test("every difference belongs to an example of the document", () => {
  const examples = new Set(documentedAnswers.map(({ example }) => example));
  expect(Object.keys(differences).filter((name) => !examples.has(name))).toEqual([]);
});

type Place = Pick<DocumentedAnswer, "route" | "status" | "example">;

/** The headers that the document has for such an answer, as far as they came: as it shows them, and as they were. */
function compareHeaders(place: Place, { headers }: ReceivedAnswer) {
  const names = Object.keys(place.route.responses[place.status]?.headers ?? {});
  const pairs = names
    .filter((name) => headers.has(name))
    .map((name) => [name, toExample(place, name), headers.get(name)] as const);
  return {
    expected: Object.fromEntries(pairs.map(([name, example]) => [name, toShapeOf(name, example)])),
    found: Object.fromEntries(pairs.map(([name, , value]) => [name, toShapeOf(name, value)])),
  };
}

function toExample({ route, status, example }: Place, name: string): unknown {
  const header = route.responses[status]?.headers?.[name];
  return header?.examples === undefined ? header?.example : header.examples[example]?.value;
}

function toHeaderLines([name, { example, examples }]: [string, HeaderObject]): string[] {
  const values =
    examples === undefined ? [example] : Object.values(examples).map(({ value }) => value);
  return values.map((value) => `${name}: ${String(value)}`);
}

// New each time, or as old as the checkout: of these the form is compared.
const PASSING = new Set(["access_token", "expires", "X-Request-Id", "Last-Modified"]);

function toShapeOf(name: string, value: unknown): string {
  const text = String(value);
  return PASSING.has(name)
    ? text.replaceAll(/[A-Z][a-z]{2}\b/g, "Aaa").replaceAll(/[\w-]/g, "0")
    : text;
}

/** A recording is long: of its base64 the document shows the beginning, of its bytes only what they begin with. */
function toShape(body: unknown): unknown {
  const SHOWN_CHARACTERS = 80;
  if (typeof body === "string") return body.slice(0, "RIFF".length);
  return JSON.parse(
    JSON.stringify(body, (key, value: unknown) => {
      if (key === "base64") return String(value).slice(0, SHOWN_CHARACTERS);
      return PASSING.has(key) ? toShapeOf(key, value) : value;
    }),
  );
}

function toShownBody(answer: ReceivedAnswer): unknown {
  const isJson = answer.headers.get("Content-Type")?.startsWith("application/json");
  return toShape(isJson ? toJson(answer) : new TextDecoder("latin1").decode(answer.body));
}

/** What an expression such as `$response.body#/data/0/id` gives of a body (OpenAPI 3.1, 4.8.20.4). */
function findIn(body: unknown, expression: string): unknown {
  const [start, ...tokens] = expression.split("/");
  if (start !== "$response.body#") throw new Error(`${expression} leads nowhere`);
  return tokens.reduce<unknown>((value, token) => Object(value)[token], body);
}

/** Asks the demo service as its administrator. */
function ask(route: Route, input: Input): Promise<ReceivedAnswer> {
  const request = toRequest(services.baseUrls.open, route, input);
  return send(withBearer(request, services.bearers.administrator));
}

function findRoute(operation: OperationId): Route {
  const route = routes.find(({ operationId }) => operationId === operation);
  if (route === undefined) throw new Error(`the document has no ${operation}`);
  return route;
}

function toKey({ operation, status, example }: DocumentedAnswer): string {
  return `${operation} ${status} ${example}`;
}
