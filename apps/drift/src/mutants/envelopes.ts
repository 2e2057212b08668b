// Mutants of the envelope of a success.
import { data, json } from "../edits/json.ts";
import { toMutants } from "./mutant.ts";

export const envelopes = toMutants("envelope", "interface", {
  "error-on-success": [
    "listUsers",
    "isError is true on success",
    json((envelope) => ({ ...envelope, isError: true })),
  ],
  "message-on-success": [
    "getUserAddresses",
    "errorMessage is OK on success",
    json((envelope) => ({ ...envelope, errorMessage: "OK" })),
  ],
  "one-record-bare": [
    "getMetadataByCallId",
    "data is the record itself when there is one",
    data((content) =>
      Array.isArray(content) && content.length === 1 ? (content[0] ?? null) : content,
    ),
  ],
  "bare-list": [
    "listPublicFlags",
    "the list comes without an envelope",
    json((envelope) => envelope.data ?? []),
  ],
  "data-as-text": [
    "getUserSecurityRights",
    "data is JSON written into a text",
    data((content) => JSON.stringify(content)),
  ],
  "recording-in-list": [
    "getRecordingByReference",
    "data of a recording is a list of one",
    data((content) => [content]),
  ],
  "search-with-count": [
    "searchMetadata",
    "a search by named fields has pageID and recordCount too",
    json((envelope) => ({ ...envelope, pageID: 0, recordCount: 1 })),
  ],
  "token-in-envelope": [
    "createToken",
    "the token response is in the envelope",
    json((token) => ({ isError: false, errorMessage: null, data: token })),
  ],
});
