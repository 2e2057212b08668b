// The examples of the document are requests to the demo service and its answers: what the reference shows can be tried.
import { openStore } from "@call-media/store/sqlite";
import { afterAll, beforeAll, expect, test } from "vitest";
import { makeDemoArchive, startService } from "../src/demo-service.ts";
import { type DocumentedAnswer, documentedAnswers } from "../src/examples.ts";
import { send, toJson, toRequest, withBearer } from "../src/exchange.ts";
import { type Input, toExampleInput } from "../src/input.ts";

const stack = new AsyncDisposableStack();
let baseUrl: string;
let apiKey: string;

beforeAll(async () => {
  const { directory, access } = stack.use(await makeDemoArchive());
  const store = stack.use(await openStore({ directory }));
  ({ baseUrl } = stack.use(await startService(store)));
  ({ apiKey } = access);
});
afterAll(() => stack.disposeAsync());

const NOBODY = 999;
const NO_CALL = "no-such-call";

/** How the request of an example differs from the document's example request, where it does. */
const changes: Readonly<Record<string, (input: Input) => Input>> = {
  NoCall: (input) => ({ ...withPath(input), body: { agent: "nobody" } }),
  NoChat: withPath,
  PagePastTheEnd: (input) => ({ ...input, query: { ...input.query, pageIndex: 3 } }),
  UnknownUser: (input) => ({ ...input, query: { user_id: NOBODY } }),
  NoFlags: (input) => ({ ...input, query: { user_id: NOBODY } }),
};

function withPath(input: Input): Input {
  return { ...input, path: { call_id: NO_CALL, ref_id: NO_CALL } };
}

// A token is new each time. The demo's users all have a public flag. Bytes cannot be shown.
const untold = new Set(["createToken Token", "listPublicFlags NoFlags"]);

const shown = documentedAnswers.filter(
  ({ operation, status, example }) =>
    status === "200" && !operation.startsWith("stream") && !untold.has(`${operation} ${example}`),
);

test.each(shown)("$operation answers $example", async (answer) => {
  for (const input of toInputs(answer)) {
    const request = withBearer(toRequest(baseUrl, answer.route, input), apiKey);
    expect(toShown(toJson(await send(request)))).toEqual(answer.value);
  }
});

/** With every example of the body, but not the one that stands for a whole range of days. */
function toInputs({ route, example }: DocumentedAnswer): Input[] {
  const right = toExampleInput(route);
  const change = changes[example] ?? ((input: Input) => input);
  const bodies = Object.entries(route.body?.examples ?? {}).filter(
    ([name]) => name !== "WholeRange",
  );
  if (bodies.length === 0) return [change(right)];
  return bodies.map(([, { value: body }]) => change({ ...right, body }));
}

/** A recording is long: of its base64 the document shows the beginning. */
function toShown(body: unknown): unknown {
  const SHOWN_CHARACTERS = 80;
  return JSON.parse(
    JSON.stringify(body, (key, value: unknown) =>
      key === "base64" ? String(value).slice(0, SHOWN_CHARACTERS) : value,
    ),
  );
}

test("the example of a whole range is taken, and finds calls", async () => {
  const route = shown.find(({ operation }) => operation === "searchMetadataByCustomFields")?.route;
  if (route === undefined) throw new Error("the document has no such operation");
  const input = { ...toExampleInput(route), body: route.body?.examples?.["WholeRange"]?.value };
  const answer = await send(withBearer(toRequest(baseUrl, route, input), apiKey));
  expect(toJson(answer)).toMatchObject({ isError: false, pageID: 0 });
  expect(toJson(answer)).not.toMatchObject({ recordCount: 0 });
});
