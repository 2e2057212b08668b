// Labelled edits of operations: paths, methods, identifiers, credentials, servers, marks.
import type { LabelledEdit } from "./labelled-edit.ts";
import { add, append, remove, rename, replace, take } from "./steps.ts";

const chat = "#/paths/~1chat~1by-call-id~1{call_id}";
const token = "#/paths/~1Token/post";
const users = "#/paths/~1users~1basic-info/get";
const addresses = "#/paths/~1users~1address-info/get";
const publicFlags = "#/paths/~1flags~1public/get";
const stream = "#/paths/~1recording~1stream-by-call-id~1{call_id}/get";

export const operationEdits: readonly LabelledEdit[] = [
  { id: "path-removed", expected: "breaking", steps: [remove(chat)] },
  {
    id: "path-renamed",
    expected: "breaking",
    steps: [rename("#/paths/~1flags~1public", "/flags/shared")],
  },
  {
    id: "operation-under-another-method",
    expected: "breaking",
    steps: [rename("#/paths/~1metadata~1search/post", "put")],
  },
  {
    id: "operation-id-changed",
    expected: "breaking",
    steps: [replace(`${users}/operationId`, "getUsers")],
  },
  {
    id: "path-added",
    expected: "additive",
    steps: [
      add("#/paths/~1flags~1all", {
        get: {
          operationId: "listAllFlags",
          tags: ["Flags"],
          summary: "All flags",
          responses: { "200": { $ref: "#/components/responses/PublicFlags" } },
        },
      }),
    ],
  },
  {
    id: "operation-added-to-a-path",
    expected: "additive",
    steps: [
      add("#/paths/~1flags~1public/head", {
        operationId: "headPublicFlags",
        tags: ["Flags"],
        summary: "Whether there are flags",
        responses: { "401": { $ref: "#/components/responses/Unauthorized" } },
      }),
    ],
  },
  // Without its own empty list, /Token falls back to the document's: it would need a token to get a token.
  {
    id: "open-operation-loses-its-override",
    expected: "breaking",
    steps: [remove(`${token}/security`)],
  },
  {
    id: "open-operation-asks-for-a-key",
    expected: "breaking",
    steps: [replace(`${token}/security`, [{ ApiKey: [] }])],
  },
  {
    id: "closed-operation-opened",
    expected: "additive",
    steps: [add(`${publicFlags}/security`, [])],
  },
  {
    id: "operation-takes-tokens-alone",
    expected: "breaking",
    steps: [add(`${publicFlags}/security`, [{ AccessToken: [] }])],
  },
  {
    id: "override-that-says-the-same",
    expected: "prose",
    steps: [add(`${publicFlags}/security`, [{ AccessToken: [] }, { ApiKey: [] }])],
  },
  {
    id: "api-keys-refused-everywhere",
    expected: "breaking",
    steps: [replace("#/security", [{ AccessToken: [] }])],
  },
  {
    id: "token-and-key-both-needed",
    expected: "breaking",
    steps: [replace("#/security", [{ AccessToken: [], ApiKey: [] }])],
  },
  {
    id: "another-scheme-accepted-as-well",
    expected: "additive",
    steps: [
      add("#/components/securitySchemes/Certificate", { type: "mutualTLS" }),
      append("#/security", { Certificate: [] }),
    ],
  },
  {
    id: "scheme-becomes-basic",
    expected: "breaking",
    steps: [replace("#/components/securitySchemes/AccessToken/scheme", "basic")],
  },
  {
    id: "demo-server-at-another-port",
    expected: "prose",
    steps: [replace("#/servers/0/description", "The demonstration.")],
  },
  {
    id: "decision-mark-taken-from-an-operation",
    expected: "additive",
    steps: [take(`${stream}/x-decision`, "D15")],
  },
  {
    id: "decision-of-a-parameter-changed",
    expected: "additive",
    steps: [replace("#/components/parameters/PageIndex/x-decision", "D06")],
  },
  {
    id: "decision-mark-put-on-a-response-field",
    expected: "additive",
    steps: [add("#/components/schemas/PublicFlagRecord/properties/Name/x-decision", "D28")],
  },
  { id: "operation-summary", expected: "prose", steps: [replace(`${users}/summary`, "The users")] },
  {
    id: "operation-description",
    expected: "prose",
    steps: [replace(`${addresses}/description`, "Says where a user lives.")],
  },
  {
    id: "operation-under-another-tag",
    expected: "prose",
    steps: [replace(`${users}/tags`, ["Flags"])],
  },
  {
    id: "document-description",
    expected: "prose",
    steps: [replace("#/info/description", "Reads an archive.")],
  },
  { id: "tag-description", expected: "prose", steps: [replace("#/tags/0/description", "Tokens.")] },
  {
    id: "tag-added",
    expected: "prose",
    steps: [append("#/tags", { name: "Later", description: "Nothing yet." })],
  },
  {
    id: "operation-documentation-linked",
    expected: "prose",
    steps: [add(`${users}/externalDocs`, { url: "https://example.com/users" })],
  },
  {
    id: "server-added",
    expected: "additive",
    steps: [append("#/servers", { url: "https://archive.example.net" })],
  },
  {
    id: "server-removed",
    expected: "breaking",
    steps: [replace("#/servers", [{ url: "http://127.0.0.1:8080" }])],
  },
  {
    id: "decision-of-the-whole-document-added",
    expected: "additive",
    steps: [append("#/info/x-decision", "D16")],
  },
  {
    id: "operation-deprecated",
    expected: "additive",
    steps: [add(`${publicFlags}/deprecated`, true)],
  },
  {
    id: "path-parameter-renamed",
    expected: "breaking",
    steps: [
      rename("#/paths/~1chat~1by-call-id~1{call_id}", "/chat/by-call-id/{id}"),
      replace("#/paths/~1chat~1by-call-id~1{id}/get/parameters", [
        { name: "id", in: "path", required: true, schema: { type: "string" } },
      ]),
    ],
  },
  { id: "document-title", expected: "prose", steps: [replace("#/info/title", "Archive")] },
];
