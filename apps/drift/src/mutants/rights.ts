// Mutants that ignore rights: a restricted caller gets the administrator's response.
import { seesAll, withAuthorization } from "../edits/requests.ts";
import { BASE64, SEARCHES, STREAMS, toMutants } from "./mutant.ts";
import { countedAs } from "../edits/search.ts";

export const rights = toMutants("rights", "decision", {
  "search-shows-all": [SEARCHES, "a restricted user finds every record", seesAll],
  "call-id-shows-all": [
    "getMetadataByCallId",
    "a restricted user reads every record by its call_id",
    seesAll,
  ],
  "reference-shows-all": [
    "getMetadataByReference",
    "a restricted user reads every record by its reference",
    seesAll,
  ],
  "recordings-for-all": [BASE64, "a restricted user gets every recording as base64", seesAll],
  "streams-for-all": [STREAMS, "a restricted user gets every recording as a stream", seesAll],
  "chats-for-all": ["getChatByCallId", "a restricted user reads every chat", seesAll],
  "users-for-all": ["listUsers", "a restricted user sees every user", seesAll],
  "addresses-for-all": ["getUserAddresses", "a restricted user sees every address", seesAll],
  "rights-for-all": [
    "getUserSecurityRights",
    "a restricted user sees the rights of every user",
    seesAll,
  ],
  "private-flags-for-all": [
    "listPrivateFlags",
    "a restricted user sees every private flag",
    seesAll,
  ],
  "public-flags-for-all": ["listPublicFlags", "a restricted user sees every public flag", seesAll],
  "count-tells-hidden": [
    "searchMetadataByCustomFields",
    "recordCount counts what the caller may not see",
    countedAs((request, { adminKey }) => withAuthorization(request, `Bearer ${adminKey}`)),
  ],
});
