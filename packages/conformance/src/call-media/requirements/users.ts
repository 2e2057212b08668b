// Users, flags and chats.
import { of, type Requirements } from "./requirement.ts";

const OF_A_USER = ["getUserAddresses", "getUserSecurityRights"] as const;
const STATUS =
  "The user status filter accepts the values active, inactive, deleted and all. A user record carries status as an integer.";

export const users = {
  "users.fields": {
    operations: ["listUsers"],
    source: { line: "- Response: data is an array of user basic records." },
    says: "A user has exactly the fields of the basic record, of the types that are shown.",
  },
  "users.distinct": {
    operations: ["listUsers"],
    source: { line: "| GET | /users/basic-info | list users |" },
    says: "Each user is listed once: no id and no username stands twice.",
  },
  "users.status": {
    operations: ["listUsers"],
    source: { line: STATUS },
    says: "active, inactive and deleted share out the users that all lists, and no integer stands for two of them.",
  },
  ...of(["listUsers"], "D05", {
    "users.status-integers": "The integer is 1 for active, 0 for inactive and 2 for deleted.",
  }),
  ...of(["listUsers"], "D39", {
    "users.caller":
      "Caller names a user that the list has, and to a caller who sees one user alone, that one.",
  }),
  "addresses.fields": {
    operations: ["getUserAddresses"],
    source: {
      line: "Fields id (integer), username, address, city, state, zip_code, country. All except id are strings.",
    },
    says: "An address has exactly these fields, of these types.",
  },
  "security.fields": {
    operations: ["getUserSecurityRights"],
    source: { line: "- Response: data is an array of user security records." },
    says: "A security record has exactly the documented fields, of the types that are shown.",
  },
  "users.echo": {
    operations: OF_A_USER,
    source: {
      line: "- Query parameter user_id: integer, required; obtained from basic-info (the id field).",
    },
    says: "What is given for a user has that user's id and username.",
  },
  ...of([...OF_A_USER, "listPrivateFlags"], "D15", {
    "users.unknown": "An unknown user_id is answered 200 and empty.",
  }),
  "security.lists": {
    operations: ["getUserSecurityRights"],
    source: {
      line: "array (empty when the matching allow_all_ field is true or nothing is granted)",
    },
    says: "A list of what is allowed is empty where everything is.",
  },
  ...of(
    [
      "createToken",
      "listUsers",
      ...OF_A_USER,
      "getRecordingByCallId",
      "getRecordingByReference",
      "listPublicFlags",
      "listPrivateFlags",
      "getChatByCallId",
    ],
    "D02",
    {
      "records.types": "Values whose type the interface leaves open have the type of the document.",
    },
  ),
  "flags.fields": {
    operations: ["listPublicFlags", "listPrivateFlags"],
    source: { line: "Note the capitalised field names." },
    says: "A flag has exactly Id, Type, Name, DateCreated and DateModified, of the types that are shown.",
  },
  "flags.public": {
    operations: ["listPublicFlags"],
    source: { line: "Returns the public flags of the authenticated user." },
    says: "Every flag is Public, and stands once.",
  },
  "flags.private": {
    operations: ["listPrivateFlags"],
    source: { line: "Returns the private flags of that user." },
    says: "Every flag is Private, stands once, and belongs to one user alone.",
  },
  "chat.fields": {
    operations: ["getChatByCallId"],
    source: { line: "- Response: data is an array of chat message records." },
    says: "A message has exactly the documented fields, of the types that are shown.",
  },
  "chat.echo": {
    operations: ["getChatByCallId"],
    source: { line: "| GET | /chat/by-call-id/{call_id} | chat transcript of a call |" },
    says: "No message is of another call.",
  },
  "chat.order": {
    operations: ["getChatByCallId"],
    source: { document: "components/responses/Chat" },
    says: "The messages come oldest first.",
  },
  ...of(["getChatByCallId"], "D15", {
    "chat.unknown": "An unknown call_id is answered 200 and empty.",
  }),
} as const satisfies Requirements;
