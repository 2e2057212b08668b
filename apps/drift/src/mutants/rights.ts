// Rights that are not kept: a caller with few of them is answered as the administrator.
import { withBody } from "../edits/answers.ts";
import { parseSuccess } from "../edits/json.ts";
import { seesAll, withAuthorization } from "../edits/requests.ts";
import { BASE64, type Mutant, SEARCHES, STREAMS } from "./mutant.ts";

export const rights: readonly Mutant[] = [
  {
    id: "search-shows-all",
    class: "rights",
    operation: SEARCHES,
    contract: "decision",
    says: "a restricted user finds every record",
    mutate: seesAll,
  },
  {
    id: "call-id-shows-all",
    class: "rights",
    operation: "getMetadataByCallId",
    contract: "decision",
    says: "a restricted user reads every record by its call_id",
    mutate: seesAll,
  },
  {
    id: "reference-shows-all",
    class: "rights",
    operation: "getMetadataByReference",
    contract: "decision",
    says: "a restricted user reads every record by its reference",
    mutate: seesAll,
  },
  {
    id: "recordings-for-all",
    class: "rights",
    operation: BASE64,
    contract: "decision",
    says: "a restricted user gets every recording as base64",
    mutate: seesAll,
  },
  {
    id: "streams-for-all",
    class: "rights",
    operation: STREAMS,
    contract: "decision",
    says: "a restricted user gets every recording as a stream",
    mutate: seesAll,
  },
  {
    id: "chats-for-all",
    class: "rights",
    operation: "getChatByCallId",
    contract: "decision",
    says: "a restricted user reads every chat",
    mutate: seesAll,
  },
  {
    id: "users-for-all",
    class: "rights",
    operation: "listUsers",
    contract: "decision",
    says: "a restricted user sees every user",
    mutate: seesAll,
  },
  {
    id: "addresses-for-all",
    class: "rights",
    operation: "getUserAddresses",
    contract: "decision",
    says: "a restricted user sees every address",
    mutate: seesAll,
  },
  {
    id: "rights-for-all",
    class: "rights",
    operation: "getUserSecurityRights",
    contract: "decision",
    says: "a restricted user sees the rights of every user",
    mutate: seesAll,
  },
  {
    id: "private-flags-for-all",
    class: "rights",
    operation: "listPrivateFlags",
    contract: "decision",
    says: "a restricted user sees every private flag",
    mutate: seesAll,
  },
  {
    id: "public-flags-for-all",
    class: "rights",
    operation: "listPublicFlags",
    contract: "decision",
    says: "a restricted user sees every public flag",
    mutate: seesAll,
  },
  {
    id: "count-tells-hidden",
    class: "rights",
    operation: "searchMetadataByCustomFields",
    contract: "decision",
    says: "recordCount counts what the caller may not see",
    mutate: async (answer, request, upstream) => {
      const all = parseSuccess(
        await upstream.ask(withAuthorization(request, `Bearer ${upstream.adminKey}`)),
      );
      const own = parseSuccess(answer);
      return own === undefined
        ? answer
        : withBody(answer, JSON.stringify({ ...own, recordCount: all?.recordCount ?? 0 }));
    },
  },
];
