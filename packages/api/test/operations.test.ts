// The 15 operations against the interface's own table, written out here as an independent witness.
import { expect, test } from "vitest";
import { operationIds } from "../generated/operation-ids.ts";
import { document, routes } from "../src/index.ts";

const interfaceTable = [
  ["POST", "/Token", "createToken"],
  ["GET", "/metadata/by-reference/{ref_id}", "getMetadataByReference"],
  ["GET", "/metadata/by-call-id/{call_id}", "getMetadataByCallId"],
  ["POST", "/metadata/by-custom-fields", "searchMetadataByCustomFields"],
  ["POST", "/metadata/search", "searchMetadata"],
  ["GET", "/users/basic-info", "listUsers"],
  ["GET", "/users/address-info", "getUserAddresses"],
  ["GET", "/users/security-info", "getUserSecurityRights"],
  ["GET", "/recording/by-reference/{ref_id}", "getRecordingByReference"],
  ["GET", "/recording/by-call-id/{call_id}", "getRecordingByCallId"],
  ["GET", "/recording/stream-by-reference/{ref_id}", "streamRecordingByReference"],
  ["GET", "/recording/stream-by-call-id/{call_id}", "streamRecordingByCallId"],
  ["GET", "/flags/public", "listPublicFlags"],
  ["GET", "/flags/private", "listPrivateFlags"],
  ["GET", "/chat/by-call-id/{call_id}", "getChatByCallId"],
];

/** Parameters of the interface; what has x-extension is ours. */
const interfaceParameters: Record<string, string[]> = {
  createToken: [],
  getMetadataByReference: ["path ref_id"],
  getMetadataByCallId: ["path call_id"],
  searchMetadataByCustomFields: ["query pageIndex", "query startDate", "query endDate"],
  searchMetadata: ["query pageIndex", "query startDate", "query endDate"],
  listUsers: ["query status"],
  getUserAddresses: ["query user_id"],
  getUserSecurityRights: ["query user_id"],
  getRecordingByReference: ["path ref_id"],
  getRecordingByCallId: ["path call_id"],
  streamRecordingByReference: ["path ref_id"],
  streamRecordingByCallId: ["path call_id"],
  listPublicFlags: [],
  listPrivateFlags: ["query user_id"],
  getChatByCallId: ["path call_id"],
};

test("the identifiers alone are those of the interface", () => {
  const rows = interfaceTable.map(([method, path, id]) => [`${method} ${path}`, id]);
  expect(operationIds).toEqual(Object.fromEntries(rows));
});

test("the routes are the 15 operations of the interface, in its order", () => {
  const found = routes.map(({ method, path, operationId }) =>
    [method, path, operationId].join(" "),
  );
  expect(found).toEqual(interfaceTable.map((row) => row.join(" ")));
});

test("the routes and the document have the same operations", () => {
  const written = Object.values(document.paths).flatMap((item) => Object.values(item));
  expect(routes.map((route) => route.operationId)).toEqual(written.map((op) => op.operationId));
});

test.each(routes)("$operationId has the parameters of the interface, all required", (route) => {
  const own = route.parameters.filter((parameter) => parameter["x-extension"] !== true);
  expect(own.map((parameter) => `${parameter.in} ${parameter.name}`)).toEqual(
    interfaceParameters[route.operationId],
  );
  expect(own.every((parameter) => parameter.required)).toBe(true);
});

test("no extension of the interface is required", () => {
  const ours = routes.flatMap((route) => route.parameters).filter((p) => p["x-extension"] === true);
  expect(new Set(ours.map((p) => p.name))).toEqual(
    new Set(["words", "part", "Prefer", "Range", "If-Range", "If-None-Match"]),
  );
  expect(ours.some((parameter) => parameter.required)).toBe(false);
});

test("POST /Token alone needs no credentials, and the POST operations alone take a body", () => {
  expect(routes.filter((route) => !route.needsCredentials).map((route) => route.path)).toEqual([
    "/Token",
  ]);
  expect(routes.filter((route) => route.body !== undefined)).toEqual(
    routes.filter((route) => route.method === "POST"),
  );
});

test("routes hold no reference", () => {
  expect(JSON.stringify(routes)).not.toContain('"$ref"');
});

test.each(routes)("$operationId answers with the statuses of D12", (route) => {
  const always = ["200", "401", "406", "429", "500", "503"];
  const parsed = route.parameters.length > 0 || route.body !== undefined ? ["400"] : [];
  const posted = route.method === "POST" ? ["413", "415"] : [];
  const recording = route.path.startsWith("/recording/") ? ["403", "404"] : [];
  const streamed = route.path.includes("/stream-") ? ["206", "304", "416"] : [];
  expect(Object.keys(route.responses)).toEqual(
    [...always, ...parsed, ...posted, ...recording, ...streamed].toSorted(),
  );
});

test.each(routes)(
  "$operationId sends X-Request-Id with every answer, X-Error-Code with every error (D13)",
  (route) => {
    for (const [status, { headers }] of Object.entries(route.responses)) {
      expect(headers?.["X-Request-Id"]?.required).toBe(true);
      expect(headers?.["X-Error-Code"]?.required).toBe(Number(status) >= 400 ? true : undefined);
    }
    expect(route.responses["401"]?.headers).toHaveProperty("WWW-Authenticate");
    expect(route.responses["429"]?.headers).toHaveProperty("Retry-After");
  },
);
