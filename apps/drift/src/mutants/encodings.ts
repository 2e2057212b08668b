// Mutants that corrupt JSON in responses, or identifiers in requests.
import { toErrorAnswer, withBody, withHeaders } from "../edits/answers.ts";
import { identifierOf, withIdentifier } from "../edits/requests.ts";
import type { Answer, Mutate } from "../exchange.ts";
import { METADATA, type Mutant, toMutants } from "./mutant.ts";

const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);

function recoded(edit: (body: Buffer) => Buffer): Mutate {
  return (answer) => (isJson(answer) ? withBody(answer, edit(answer.body)) : answer);
}

function isJson({ headers, body }: Answer): boolean {
  return body.length > 0 && (headers["content-type"]?.startsWith("application/json") ?? false);
}

/** Encodes as Windows-1252 and similar do: characters that are missing there become question marks. */
function toLatin1(body: Buffer): Buffer {
  return Buffer.from(body.toString().replaceAll(/[^\0-\u00ff]/gu, "?"), "latin1");
}

export const encodings: readonly Mutant[] = [
  ...toMutants("encoding", "interface", {
    "json-with-byte-order-mark": [
      "listUsers",
      "JSON begins with a byte order mark",
      recoded((body) => Buffer.concat([BYTE_ORDER_MARK, body])),
    ],
    "json-in-latin-1": [
      METADATA,
      "JSON is encoded in Latin-1 and said to be UTF-8",
      recoded(toLatin1),
    ],
    "json-decoded-twice": [
      "getMetadataByCallId",
      "UTF-8 was read as Latin-1 and written as UTF-8 again",
      recoded((body) => Buffer.from(body.toString("latin1"))),
    ],
    "slash-in-identifier-lost": [
      ["getMetadataByCallId", "getRecordingByCallId", "streamRecordingByCallId"],
      "an identifier with a slash is taken for another path, 404",
      (answer, { pathname }) =>
        /%2f/i.test(pathname) ? toErrorAnswer(answer, 404, "There is no such path.") : answer,
    ],
    "identifier-in-ascii": [
      METADATA,
      "what is not ASCII in an identifier becomes a question mark",
      (answer, request, { ask }) =>
        answer.status === 200 && request.method !== "POST" && /%[89a-f]/i.test(request.pathname)
          ? ask(withIdentifier(request, identifierOf(request).replaceAll(/[^\0-\u007f]/gu, "?")))
          : answer,
    ],
  }),
  ...toMutants("encoding", "decision", {
    "json-path-moved": [
      "every",
      "/flags/public sends on to /flags/public/",
      (answer, request, { ask }) => {
        if (request.pathname === "/flags/public/")
          return ask({ ...request, pathname: "/flags/public" });
        return request.pathname === "/flags/public"
          ? withHeaders(withBody({ ...answer, status: 301 }, ""), { location: "/flags/public/" })
          : answer;
      },
    ],
  }),
];
