// Builds the requests that make the demo service return the document's example responses: the document's example request, with the
// differences that each response needs.
import type { ExampleAccess, ExampleCaller, ExampleService } from "./example-services.ts";
import type { DocumentedAnswer } from "./examples.ts";
import { toRequest, withBearer, withHeader } from "./exchange.ts";
import { type Input, toExampleInput } from "./input.ts";

interface Difference {
  /** Default: open. */
  readonly service?: ExampleService;
  /** Default: the administrator. */
  readonly caller?: ExampleCaller | "nobody";
  readonly input?: (input: Input, services: ExampleAccess) => Input;
  /** Changes the request last. */
  readonly alter?: (request: Request) => Request;
}

const MAX_BODY_BYTES = 65_536;

/** Differences by name of the example; an example without an entry is the response to the example request. */
export const differences: Readonly<Record<string, Difference>> = {
  NoCall: { input: (input) => ({ ...withPath("no-such-call")(input), body: { agent: "nobody" } }) },
  NoChat: { input: withPath("no-such-call") },
  PagePastTheEnd: { input: withQuery({ pageIndex: 3 }) },
  UnknownUser: { input: withQuery({ user_id: 999 }) },
  NoFlags: { input: withQuery({ user_id: 999 }) },
  Token: { input: (input, { credentials }) => ({ ...input, body: credentials }) },
  RecordingBytes: { input: (input) => ({ ...input, header: {} }) },

  BodyNotJson: { alter: (request) => withHeader(request, "Content-Type", "text/plain") },
  BodyTooLarge: { input: withBody("x".repeat(MAX_BODY_BYTES)) },
  CallIdTooLong: { input: withPath("x".repeat(1025)) },
  ReferenceTooLong: { input: withPath("x".repeat(1025)) },
  IdentifierEncoding: {
    alter: (request) => new Request(request.url.replace(/[^/]+$/, "%zz"), request),
  },
  DateNotReal: { input: withQuery({ startDate: "2025-02-30" }) },
  DatesReversed: { input: withQuery({ startDate: "2025-02-01" }) },
  PageIndexNegative: { input: withQuery({ pageIndex: -1 }) },
  PartNotANumber: { input: withQuery({ part: "first" }) },
  UserIdNotANumber: { input: withQuery({ user_id: "riley" }) },
  UserStatusUnknown: { input: withQuery({ status: "locked" }) },
  FilterEmpty: { input: (input) => ({ ...withBody({})(input), query: withoutWords(input.query) }) },
  WordsUnclosed: { input: withQuery({ words: '"meter' }) },
  FilterKeyUnknown: { input: withBody({ colour: "blue" }) },
  FilterValueNotText: { input: withBody({ custom_field_1: 5 }) },
  TokenFieldMissing: { input: withBody({ secretID: "app" }) },
  RangeUnreadable: { input: withRange("bytes=first-last") },
  RangePastTheEnd: { input: withRange("bytes=280948-") },

  TokenMissing: { caller: "nobody" },
  TokenExpired: { service: "later", caller: "signed in" },
  DownloadNotAllowed: { caller: "without downloads" },
  FileTypeNotAllowed: {
    caller: "restricted",
    input: (input) => ({ ...input, path: { call_id: "300000000100034", ref_id: "FHR-000002" } }),
  },
  NoRecordingOfCall: { input: withPath("no-such-call") },
  NoRecordingOfReference: { input: withPath("no-such-call") },
  NotAcceptable: { alter: (request) => withHeader(request, "Accept", "text/html") },
  TooManyRequests: { service: "limited" },
  TooManySignIns: { service: "barred" },
  InternalError: { service: "broken" },
  Unavailable: { service: "damaged" },
};

/** One request for each example of the body, except the one for a complete range of days. */
export function toExampleRequests(
  { route, example }: DocumentedAnswer,
  services: ExampleAccess,
): Request[] {
  const right = withoutCopy(toExampleInput(route));
  const { service = "open", caller = "administrator", input, alter } = differences[example] ?? {};
  const bodies = Object.entries(route.body?.examples ?? {}).filter(
    ([name]) => name !== "WholeRange",
  );
  const inputs =
    bodies.length === 0 ? [right] : bodies.map(([, { value: body }]) => ({ ...right, body }));
  return inputs.map((one) => {
    const request = toRequest(services.baseUrls[service], route, input?.(one, services) ?? one);
    const isSigned = route.needsCredentials && caller !== "nobody";
    const signed = isSigned ? withBearer(request, services.bearers[caller]) : request;
    return alter?.(signed) ?? signed;
  });
}

/** Removes If-None-Match: a caller that sends the ETag of the example gets 304, whatever else it requests. */
function withoutCopy(input: Input): Input {
  const header = Object.entries(input.header).filter(([name]) => name !== "If-None-Match");
  return { ...input, header: Object.fromEntries(header) };
}

function withPath(identifier: string) {
  return (input: Input): Input => ({
    ...input,
    path: { call_id: identifier, ref_id: identifier },
  });
}

function withQuery(query: Input["query"]) {
  return (input: Input): Input => ({ ...input, query: { ...input.query, ...query } });
}

function withoutWords(query: Input["query"]): Input["query"] {
  return Object.fromEntries(Object.entries(query).filter(([name]) => name !== "words"));
}

function withBody(body: unknown) {
  return (input: Input): Input => ({ ...input, body });
}

function withRange(range: string) {
  return (input: Input): Input => ({ ...input, header: { Range: range } });
}
