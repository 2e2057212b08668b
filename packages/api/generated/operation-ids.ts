// Generated from spec/openapi.yaml: do not edit.
// Command: pnpm generate

/** The identifier of each operation, by method and path template. */
export const operationIds = {
  "POST /Token": "createToken",
  "GET /metadata/by-reference/{ref_id}": "getMetadataByReference",
  "GET /metadata/by-call-id/{call_id}": "getMetadataByCallId",
  "POST /metadata/by-custom-fields": "searchMetadataByCustomFields",
  "POST /metadata/search": "searchMetadata",
  "GET /users/basic-info": "listUsers",
  "GET /users/address-info": "getUserAddresses",
  "GET /users/security-info": "getUserSecurityRights",
  "GET /recording/by-reference/{ref_id}": "getRecordingByReference",
  "GET /recording/by-call-id/{call_id}": "getRecordingByCallId",
  "GET /recording/stream-by-reference/{ref_id}": "streamRecordingByReference",
  "GET /recording/stream-by-call-id/{call_id}": "streamRecordingByCallId",
  "GET /flags/public": "listPublicFlags",
  "GET /flags/private": "listPrivateFlags",
  "GET /chat/by-call-id/{call_id}": "getChatByCallId",
} as const;
