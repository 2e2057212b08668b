// Requests as bytes on a socket, for what no HTTP client would send, and every answer that came back.
import { connect } from "node:net";
import * as fc from "fast-check";
import type { Answer } from "./send.ts";
import { createNastyText } from "./texts.ts";

const HANG_MS = 30_000;

/** Sends the bytes, says that nothing follows, and gives what came until the service closed the connection. */
export function sendRaw(baseUrl: string, bytes: Buffer): Promise<Buffer> {
  const { hostname, port } = new URL(baseUrl);
  return new Promise((resolve, reject) => {
    const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
    const chunks: Buffer[] = [];
    socket.setTimeout(HANG_MS, () => {
      socket.destroy();
      reject(new Error(`the connection was neither answered nor closed within ${HANG_MS} ms`));
    });
    socket.on("data", (chunk: Buffer) => chunks.push(chunk));
    socket.on("error", () => {}); // a reset is a way of closing, too
    socket.on("end", () => socket.destroy());
    socket.on("close", () => resolve(Buffer.concat(chunks)));
    socket.end(bytes);
  });
}

/** Cuts what came into answers, without those that only promise one (1xx). Throws when a byte is left over or missing. */
export function parseAnswers(bytes: Buffer): Answer[] {
  if (bytes.length === 0) return [];
  const end = bytes.indexOf("\r\n\r\n");
  if (end === -1) throw new Error(`no whole answer: ${bytes.toString("latin1").slice(0, 200)}`);
  const [statusLine = "", ...lines] = bytes.subarray(0, end).toString("latin1").split("\r\n");
  const [, status] = /^HTTP\/1\.1 ([1-5]\d\d) [ -~]*$/.exec(statusLine) ?? [];
  if (status === undefined) throw new Error(`no status line: ${statusLine}`);
  const headers = new Headers(lines.map(toPair));
  const bodyEnd = end + 4 + Number(headers.get("Content-Length") ?? 0);
  if (bytes.length < bodyEnd) throw new Error(`the body of a ${status} was cut`);
  const answer = { status: Number(status), headers, body: bytes.subarray(end + 4, bodyEnd) };
  const others = parseAnswers(bytes.subarray(bodyEnd));
  return answer.status < 200 ? others : [answer, ...others];
}

function toPair(line: string): [string, string] {
  const [, name = "", value = ""] = /^([\w-]+): (.*)$/.exec(line) ?? [];
  if (name === "") throw new Error(`no header: ${line}`);
  return [name, value];
}

/** Requests with `bearer`, then broken in up to four places; sometimes two of them behind each other. */
export function createRawRequests(bearer: string): fc.Arbitrary<Buffer> {
  const edits = fc.array(createEdit(), { maxLength: 4, size: "max" });
  const one = fc
    .tuple(fc.constantFrom(...toTemplates(bearer)), edits)
    .map(([text, list]) => list.reduce((edited, edit) => edit(edited), text));
  return fc
    .array(one, { minLength: 1, maxLength: 2 })
    .map((texts) => Buffer.from(texts.join(""), "latin1"));
}

function toTemplates(bearer: string): readonly string[] {
  const headers = `Host: x\r\nAuthorization: Bearer ${bearer}\r\n`;
  const search = "/metadata/search?pageIndex=0&startDate=2025-01-01&endDate=2025-12-31";
  const json = `${headers}Content-Type: application/json\r\n`;
  return [
    `GET /flags/public HTTP/1.1\r\n${headers}\r\n`,
    `GET http://x/users/basic-info?status=all HTTP/1.1\r\n${headers}\r\n`,
    `POST ${search} HTTP/1.1\r\n${json}Content-Length: 13\r\n\r\n{"agent":"x"}`,
    `POST ${search} HTTP/1.1\r\n${json}Transfer-Encoding: chunked\r\n\r\nd\r\n{"agent":"x"}\r\n0\r\n\r\n`,
    `OPTIONS * HTTP/1.1\r\n${headers}\r\n`,
    "CONNECT x:443 HTTP/1.1\r\nHost: x:443\r\n\r\n",
    "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
  ];
}

type Edit = (text: string) => string;

const PIECES = [
  "\r\n",
  "\n",
  "\r",
  "\r\n\r\n",
  "\0",
  "\t",
  " ",
  ":",
  "\x7f",
  "\xff",
  "Content-Length: 5\r\n",
  "Content-Length: -1\r\n",
  "Content-Length: 99999999999999999999\r\n",
  "Transfer-Encoding: chunked\r\n",
  "Transfer-Encoding: gzip, chunked\r\n",
  "Transfer-Encoding : chunked\r\n",
  "Host: y\r\n",
  "Connection: close, keep-alive\r\n",
  "Connection: upgrade\r\nUpgrade: websocket\r\n",
  "Connection: Authorization\r\n",
  "Expect: 100-continue\r\n",
  "Trailer: X\r\n",
  "HTTP/1.0",
  "HTTP/0.9",
  "fffffffffffffffff\r\n",
  '0;ext="\r\n',
  `X: ${"x".repeat(40_000)}\r\n`,
  "X: x\r\n".repeat(150),
];

function createEdit(): fc.Arbitrary<Edit> {
  const place = fc.nat(400);
  const piece = fc.oneof(fc.constantFrom(...PIECES), createNastyText());
  const insert = fc.tuple(place, piece).map(
    ([at, added]): Edit =>
      (text) =>
        splice(text, at, 0, added),
  );
  const cut = fc.tuple(place, fc.nat(60)).map(
    ([at, count]): Edit =>
      (text) =>
        splice(text, at, count, ""),
  );
  // A line may be added where lines are, and not only within one.
  const line = fc.constantFrom(...PIECES).map(
    (added): Edit =>
      (text) =>
        text.replace("\r\n", () => `\r\n${added}`),
  );
  const end = place.map(
    (at): Edit =>
      (text) =>
        text.slice(0, at % (text.length + 1)),
  );
  return fc.oneof(insert, cut, line, end);
}

function splice(text: string, at: number, count: number, added: string): string {
  const place = at % (text.length + 1);
  return `${text.slice(0, place)}${Buffer.from(added).toString("latin1")}${text.slice(place + count)}`;
}
