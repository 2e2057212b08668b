// The fifteen calls as a user of the client writes them. Compiling this file proves that every operation of the contract accepts
// the contract's input and returns its output.
import type { OperationId, OperationInput, OperationOutput, Route } from "@call-media/api";
import type { Answer, CallMediaClient } from "@call-media/client";
import type { Input } from "./input.ts";

type DataOf<Id extends OperationId> = [OperationOutput<Id>] extends [never]
  ? ReadableStream<Uint8Array>
  : OperationOutput<Id>;

type ClientCall<Id extends OperationId> = (
  client: CallMediaClient,
  input: OperationInput<Id>,
) => Promise<Answer<DataOf<Id>>>;

const clientCalls: { readonly [Id in OperationId]: ClientCall<Id> } = {
  createToken: (client, { body }) => client.POST("/Token", { body }),
  getMetadataByReference: (client, { path }) =>
    client.GET("/metadata/by-reference/{ref_id}", { params: { path } }),
  getMetadataByCallId: (client, { path }) =>
    client.GET("/metadata/by-call-id/{call_id}", { params: { path } }),
  searchMetadataByCustomFields: (client, { query, header, body }) =>
    client.POST("/metadata/by-custom-fields", { params: { query, header }, body }),
  searchMetadata: (client, { query, header, body }) =>
    client.POST("/metadata/search", { params: { query, header }, body }),
  listUsers: (client, { query }) => client.GET("/users/basic-info", { params: { query } }),
  getUserAddresses: (client, { query }) => client.GET("/users/address-info", { params: { query } }),
  getUserSecurityRights: (client, { query }) =>
    client.GET("/users/security-info", { params: { query } }),
  getRecordingByReference: (client, { path, query }) =>
    client.GET("/recording/by-reference/{ref_id}", { params: { path, query } }),
  getRecordingByCallId: (client, { path, query }) =>
    client.GET("/recording/by-call-id/{call_id}", { params: { path, query } }),
  streamRecordingByReference: (client, { path, query, header }) =>
    client.GET("/recording/stream-by-reference/{ref_id}", {
      params: { path, query, header },
      parseAs: "stream",
    }),
  streamRecordingByCallId: (client, { path, query, header }) =>
    client.GET("/recording/stream-by-call-id/{call_id}", {
      params: { path, query, header },
      parseAs: "stream",
    }),
  listPublicFlags: (client) => client.GET("/flags/public"),
  listPrivateFlags: (client, { query }) => client.GET("/flags/private", { params: { query } }),
  getChatByCallId: (client, { path }) =>
    client.GET("/chat/by-call-id/{call_id}", { params: { path } }),
};

/** Calls the operation with an input that may be invalid. */
export function callOperation(
  client: CallMediaClient,
  route: Route,
  input: Input,
): Promise<Answer<unknown>> {
  // The table is closed: the entry for this route's id accepts this route's input.
  const call = clientCalls[route.operationId] as (
    client: CallMediaClient,
    input: Input,
  ) => Promise<Answer<unknown>>;
  return call(client, input);
}
