// How much of the document the responses of a run have covered.
import { routes, type SchemaObject } from "@call-media/api";
import { type Answer, isObject, isSuccess, recordsOf, routeOf } from "../answer.ts";
import { toShare } from "../../coverage.ts";
import type { Coverage } from "../report.ts";

export function createCoverage() {
  const operations = new Set<string>();
  const statuses = new Set<string>();
  const fields = new Set<string>();
  return {
    see: (answer: Answer) => {
      const { operation } = answer.ask;
      statuses.add(`${operation} ${answer.status}`);
      if (!isSuccess(answer)) return;
      operations.add(operation);
      for (const field of findFields(answer)) fields.add(field);
    },
    toCoverage: (): Coverage => ({
      operations: toShare(
        operations,
        routes.map(({ operationId }) => operationId),
      ),
      statuses: toShare(statuses, documentedStatuses()),
      fields: toShare(fields, documentedFields()),
    }),
  };
}

/** The share of all counted parts that was seen, 0 to 1. */
export function toFraction({ operations, statuses, fields }: Coverage): number {
  const shares = [operations, statuses, fields];
  const seen = shares.reduce((sum, share) => sum + share.seen, 0);
  return seen / shares.reduce((sum, share) => sum + share.of, 0);
}

function documentedStatuses(): string[] {
  return routes.flatMap(({ operationId, responses }) =>
    Object.keys(responses).map((status) => `${operationId} ${status}`),
  );
}

function documentedFields(): string[] {
  return routes.flatMap(({ operationId }) =>
    Object.keys(recordSchemaOf(operationId)?.properties ?? {}).map(
      (name) => `${operationId} ${name}`,
    ),
  );
}

function recordSchemaOf(operation: Answer["ask"]["operation"]): SchemaObject | undefined {
  const { schema } = routeOf(operation).responses["200"]?.content?.["application/json"] ?? {};
  const data = schema?.properties?.["data"];
  return data === undefined ? schema : (data.items ?? data);
}

function findFields(answer: Answer): string[] {
  const { operation } = answer.ask;
  const known = recordSchemaOf(operation)?.properties ?? {};
  const data = isObject(answer.json) ? (answer.json["data"] ?? answer.json) : {};
  return [...recordsOf(answer), ...(isObject(data) ? [data] : [])].flatMap((record) =>
    Object.keys(record)
      .filter((name) => name in known && record[name] !== null)
      .map((name) => `${operation} ${name}`),
  );
}
