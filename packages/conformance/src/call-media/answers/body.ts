// The closed world: what every successful JSON body must satisfy, whichever check sent the request.
import { type OperationId, type SchemaObject } from "@call-media/api";
import { isObject } from "@call-media/contract-diff";
import type { Answer } from "../../ask.ts";
import { routeOf, toId } from "../answer.ts";
import { bodyCheckOf } from "./closed-schemas.ts";
import { type Fault, type PlacedFault } from "../../fingerprint.ts";
import { findNameTwice } from "../../json/names-twice.ts";

/** The result of testing a requirement. Without a fault, the requirement holds. */
export interface Judgement {
  readonly id: string;
  readonly fault?: Fault | undefined;
}

/** The requirement on the records of an operation. */
const RECORD_OF: Readonly<Record<OperationId, string | undefined>> = {
  createToken: "token.fields",
  getMetadataByReference: "metadata.fields",
  getMetadataByCallId: "metadata.fields",
  searchMetadataByCustomFields: "metadata.fields",
  searchMetadata: "metadata.fields",
  listUsers: "users.fields",
  getUserAddresses: "addresses.fields",
  getUserSecurityRights: "security.fields",
  getRecordingByReference: "recording.fields",
  getRecordingByCallId: "recording.fields",
  streamRecordingByReference: undefined,
  streamRecordingByCallId: undefined,
  listPublicFlags: "flags.fields",
  listPrivateFlags: "flags.fields",
  getChatByCallId: "chat.fields",
};

// Text decoders skip it; parsers of bytes do not.
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];

const PAGE_FIELDS = new Set(["/pageID", "/recordCount"]);

export function judgeBody(answer: Answer): readonly Judgement[] {
  const { ask, json, text, bytes } = answer;
  const operation = toId(ask.operation);
  const record = RECORD_OF[operation];
  if (record === undefined) return [];
  if (!isObject(json)) {
    const came =
      text === ""
        ? "the body is empty"
        : `the body is no JSON object: ${JSON.stringify(text.slice(0, 80))}`;
    return [{ id: "answer.json", fault: came }];
  }
  if (bytes !== undefined && BYTE_ORDER_MARK.every((byte, index) => bytes[index] === byte))
    return [{ id: "answer.json", fault: "the body begins with a byte order mark (RFC 8259, 8.1)" }];
  const twice = findNameTwice(text);
  if (twice !== undefined)
    return [{ id: "answer.json", fault: `the name ${twice} stands twice (RFC 8259, 4)` }];
  const stated = bodyCheckOf(operation, "interface")?.(json) ?? [];
  const judged = [{ id: "answer.json" as const }, ...judgeFaults(operation, record, stated)];
  return stated.length > 0 ? judged : [...judged, ...judgeChoices(operation, record, json)];
}

function judgeFaults(
  operation: OperationId,
  record: string,
  faults: readonly PlacedFault[],
): readonly Judgement[] {
  const isPage = operation === "searchMetadataByCustomFields";
  const toOwn = ({ at }: PlacedFault): string => {
    if (operation === "createToken" || at.startsWith("/data/")) return record;
    if (operation.startsWith("getRecording") && at === "/data") return record;
    return isPage && PAGE_FIELDS.has(at) ? "page.fields" : "answer.envelope";
  };
  const ids = [record, ...envelopeOf(operation), ...(isPage ? (["page.fields"] as const) : [])];
  return ids.flatMap((id) =>
    judgeEach(
      id,
      faults.filter((fault) => toOwn(fault) === id),
    ),
  );
}

/** One judgement per fault of the requirement, or one without a fault. */
export function judgeEach(id: string, faults: readonly Fault[]): readonly Judgement[] {
  return faults.length === 0 ? [{ id }] : faults.map((fault) => ({ id, fault }));
}

function envelopeOf(operation: OperationId): readonly string[] {
  return operation === "createToken" ? [] : ["answer.envelope"];
}

/** What the interface leaves open: types and the order of fields. It states the order for metadata records only. */
function judgeChoices(operation: OperationId, record: string, json: unknown) {
  const chosen = bodyCheckOf(operation, "decisions")?.(json) ?? [];
  const types: string = record === "metadata.fields" ? "metadata.types" : "records.types";
  const { schema } = routeOf(operation).responses["200"]?.content?.["application/json"] ?? {};
  const { data } = schema?.properties ?? {};
  const order = data && findDisorder(data, isObject(json) ? json["data"] : undefined);
  const outer = findDisorder({ properties: toOpen(schema?.properties ?? {}) }, json);
  return [
    ...judgeEach(types, chosen),
    { id: record, fault: record === "metadata.fields" ? order : undefined },
    { id: "answer.order" as const, fault: outer ?? order },
  ];
}

/** The same names without constraints on their values, which are checked separately. */
function toOpen(properties: Readonly<Record<string, SchemaObject>>): Record<string, SchemaObject> {
  return Object.fromEntries(Object.keys(properties).map((name) => [name, {}]));
}

function findDisorder({ properties, items }: SchemaObject, value: unknown): string | undefined {
  if (Array.isArray(value)) {
    for (const item of value) {
      const disorder = items && findDisorder(items, item);
      if (disorder !== undefined) return disorder;
    }
    return undefined;
  }
  if (!isObject(value) || properties === undefined) return undefined;
  const expected = Object.keys(properties).filter((name) => name in value);
  const found = Object.keys(value).filter((name) => name in properties);
  const at = found.findIndex((name, index) => name !== expected[index]);
  return at === -1 ? undefined : `${found[at]} stands where ${expected[at]} should`;
}
