// Responses in bytes of any API: a service that serves files rightly, and one with each of these faults.
import { createHash } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { expect, test } from "vitest";
import { checkApi, loadRelations, parseDocument } from "../src/index.ts";
import { startService } from "./services.ts";

const id = { name: "id", in: "path", required: true, schema: { type: "string" } };
const text = { type: "string" };
const json = (schema: object) => ({ content: { "application/json": { schema } } });
const bytes = { content: { "image/png": {} } };

const DOCUMENT = {
  openapi: "3.1.0",
  paths: {
    "/photos": {
      get: {
        operationId: "listPhotos",
        responses: {
          200: json({ type: "array", items: { type: "object", properties: { id: text } } }),
        },
      },
    },
    "/photos/{id}": {
      get: {
        operationId: "getPhoto",
        parameters: [id],
        responses: {
          200: json({ type: "object", properties: { name: text, base64: text } }),
          404: {},
        },
      },
    },
    "/photos/{id}/file": {
      get: {
        operationId: "getFile",
        parameters: [id],
        responses: { 200: bytes, 206: bytes, 304: {}, 404: {}, 416: {} },
      },
    },
  },
  "x-relations": {
    values: { id: "listPhotos" },
    rules: [
      {
        bytes: {
          of: "getFile",
          as: "getPhoto",
          content: "base64",
          name: "name",
          ranges: true,
          conditional: true,
          digest: "Repr-Digest",
          type: "as-bytes",
          steady: ["Photo-Size"],
        },
      },
    ],
  },
};

const PHOTOS = new Map(
  ["p1", "p2", "p3"].map((key) => [key, Buffer.from(`\u0089PNG of ${key}, some bytes`, "latin1")]),
);

interface File {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** What a request for a whole file, or a part of it, is answered. */
function toFile(key: string, content: Buffer, asked: IncomingHttpHeaders): File {
  const etag = `"${key}"`;
  const headers = {
    "Content-Type": "image/png",
    "Accept-Ranges": "bytes",
    ETag: etag,
    "Photo-Size": "3x4",
    "Repr-Digest": `sha-256=:${createHash("sha256").update(content).digest("base64")}:`,
    "Content-Disposition": `attachment; filename="${key}.png"`,
  };
  if (asked["if-none-match"]?.includes(etag) === true)
    return { status: 304, headers: { ETag: etag }, body: Buffer.alloc(0) };
  const [, from, to] = /^bytes=(\d*)-(\d*)$/.exec(asked.range ?? "") ?? [];
  const isOfOther = asked["if-range"] !== undefined && asked["if-range"] !== etag;
  if (
    from === undefined ||
    to === undefined ||
    isOfOther ||
    (from !== "" && to !== "" && +to < +from)
  )
    return { status: 200, headers, body: content };
  const first = from === "" ? Math.max(0, content.length - Number(to)) : Number(from);
  const last = Math.min(content.length - 1, from === "" || to === "" ? Infinity : Number(to));
  return first > last
    ? {
        status: 416,
        headers: { "Content-Range": `bytes */${content.length}` },
        body: Buffer.alloc(0),
      }
    : {
        status: 206,
        headers: { ...headers, "Content-Range": `bytes ${first}-${last}/${content.length}` },
        body: content.subarray(first, last + 1),
      };
}

type Change = (file: File, asked: IncomingHttpHeaders & { readonly method?: string }) => File;

async function check(change: Change = (file) => file): Promise<string[]> {
  await using service = await startService(({ url = "", method, headers }, response) => {
    const [, key = "", file] = /^\/photos\/(\w+)(\/file)?$/.exec(url) ?? [];
    const content = PHOTOS.get(key);
    if (url === "/photos" || (content !== undefined && file === undefined)) {
      const photo = { name: `${key}.png`, base64: content?.toString("base64") };
      const body = url === "/photos" ? [...PHOTOS.keys()].map((one) => ({ id: one })) : photo;
      response.writeHead(200, { "Content-Type": "application/json" }).end(JSON.stringify(body));
    } else if (content === undefined || !/^(?:GET|HEAD)$/.test(method ?? ""))
      response.writeHead(content === undefined ? 404 : 405, { Allow: "GET, HEAD" }).end();
    else {
      const {
        status,
        headers: more,
        body,
      } = change(toFile(key, content, headers), {
        ...headers,
        ...(method !== undefined && { method }),
      });
      response.writeHead(status, {
        ...more,
        ...(status !== 304 && { "Content-Length": body.length }),
      });
      response.end(body);
    }
  });
  const placeOf = () => ({ file: "openapi.json", line: 1 });
  const document = parseDocument({ file: "openapi.json", document: DOCUMENT, placeOf });
  const relations = await loadRelations(document);
  const report = await checkApi({ document, relations, target: { baseUrl: service.baseUrl } });
  return report.findings
    .map(({ requirement }) => requirement)
    .filter((requirement) => requirement.startsWith("bytes."));
}

test("a service that serves files rightly has no finding", async () => {
  expect(await check()).toEqual([]);
});

const withHeaders = (file: File, headers: File["headers"]): File => ({
  ...file,
  headers: { ...file.headers, ...headers },
});

test.each<readonly [clause: string, about: string, change: Change]>([
  [
    "bytes.range",
    "a part begins one late",
    (file) => (file.status === 206 ? { ...file, body: Buffer.from(file.body).fill(0) } : file),
  ],
  [
    "bytes.refused",
    "a range past the end comes as 206",
    (file) => (file.status === 416 ? { ...file, status: 206 } : file),
  ],
  [
    "bytes.same",
    "the last file has other bytes than in base64",
    (file) =>
      file.body.toString("latin1").includes("p3")
        ? { ...file, body: Buffer.from(file.body).fill("x", 12) }
        : file,
  ],
  [
    "bytes.name",
    "the file has another name",
    (file) => withHeaders(file, { "Content-Disposition": 'attachment; filename="x.png"' }),
  ],
  [
    "bytes.type",
    "a picture is called a sound",
    (file) => withHeaders(file, { "Content-Type": "audio/ogg" }),
  ],
  [
    "bytes.digest",
    "the digest is of other bytes",
    (file) => withHeaders(file, { "Repr-Digest": "sha-256=:AAAA:" }),
  ],
  [
    "bytes.unchanged",
    "304 is answered to any tag",
    (file, asked) => (asked["if-none-match"] === undefined ? file : { ...file, status: 304 }),
  ],
  [
    "bytes.if-range",
    "If-Range is not heeded",
    (file, asked) =>
      asked["if-range"] === undefined
        ? file
        : { ...file, status: 206, body: file.body.subarray(0, 4) },
  ],
  [
    "bytes.head",
    "HEAD has another tag",
    (file, { method }) => (method === "HEAD" ? withHeaders(file, { ETag: '"h"' }) : file),
  ],
  [
    "bytes.steady",
    "a part is of another size than HEAD says",
    (file, { range }) => (range === undefined ? file : withHeaders(file, { "Photo-Size": "1x1" })),
  ],
  ["bytes.headers", "the tag is weak", (file) => withHeaders(file, { ETag: 'W/"p"' })],
])("%s: %s", async (clause, _about, change) => {
  expect(await check(change)).toContain(clause);
});
