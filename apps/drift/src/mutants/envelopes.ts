// The envelope of a success.
import { data, json } from "../edits/json.ts";
import type { Mutant } from "./mutant.ts";

export const envelopes: readonly Mutant[] = [
  {
    id: "error-on-success",
    class: "envelope",
    operation: "listUsers",
    contract: "interface",
    says: "isError is true on success",
    mutate: json((envelope) => ({ ...envelope, isError: true })),
  },
  {
    id: "message-on-success",
    class: "envelope",
    operation: "getUserAddresses",
    contract: "interface",
    says: "errorMessage is OK on success",
    mutate: json((envelope) => ({ ...envelope, errorMessage: "OK" })),
  },
  {
    id: "one-record-bare",
    class: "envelope",
    operation: "getMetadataByCallId",
    contract: "interface",
    says: "data is the record itself when there is one",
    mutate: data((content) =>
      Array.isArray(content) && content.length === 1 ? (content[0] ?? null) : content,
    ),
  },
  {
    id: "bare-list",
    class: "envelope",
    operation: "listPublicFlags",
    contract: "interface",
    says: "the list comes without an envelope",
    mutate: json((envelope) => envelope.data ?? []),
  },
  {
    id: "data-as-text",
    class: "envelope",
    operation: "getUserSecurityRights",
    contract: "interface",
    says: "data is JSON written into a text",
    mutate: data((content) => JSON.stringify(content)),
  },
  {
    id: "recording-in-list",
    class: "envelope",
    operation: "getRecordingByReference",
    contract: "interface",
    says: "data of a recording is a list of one",
    mutate: data((content) => [content]),
  },
  {
    id: "search-with-count",
    class: "envelope",
    operation: "searchMetadata",
    contract: "interface",
    says: "a search by named fields has pageID and recordCount too",
    mutate: json((envelope) => ({ ...envelope, pageID: 0, recordCount: 1 })),
  },
  {
    id: "token-in-envelope",
    class: "envelope",
    operation: "createToken",
    contract: "interface",
    says: "the token response is in the envelope",
    mutate: json((token) => ({ isError: false, errorMessage: null, data: token })),
  },
];
