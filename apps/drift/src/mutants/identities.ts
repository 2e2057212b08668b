// Answers about something or somebody else.
import { field, list, records, toRecords, parseSuccess, toText } from "../edits/json.ts";
import { asIf, queryOf, withIdentifier, withQuery } from "../edits/requests.ts";
import { withBody } from "../edits/answers.ts";
import type { Mutate } from "../exchange.ts";
import { BASE64, STREAMS, type Mutant } from "./mutant.ts";

// Of the demo archive: a spoken call, and what another one is asked by.
const OTHER_CALL = "300000000100017";
const OTHER_REFERENCE = "FHR-000001";

const always =
  (identifier: string): Mutate =>
  (answer, request, { ask }) =>
    answer.status === 200 ? ask(withIdentifier(request, identifier)) : answer;
const alwaysUser = (id: string) =>
  asIf((request) =>
    /^\d+$/.test(queryOf(request, "user_id")) ? withQuery(request, { user_id: id }) : request,
  );

/** Adds the flags of the other list. */
const withFlagsOf =
  (pathname: string, query: string): Mutate =>
  async (answer, request, { ask }) => {
    const other = parseSuccess(await ask({ ...request, pathname, query }));
    const envelope = parseSuccess(answer);
    return envelope === undefined || other === undefined
      ? answer
      : withBody(
          answer,
          JSON.stringify({ ...envelope, data: [...toRecords(envelope), ...toRecords(other)] }),
        );
  };

export const identities: readonly Mutant[] = [
  {
    id: "call-id-ignored",
    class: "identity",
    operation: "getMetadataByCallId",
    contract: "interface",
    says: "the records of one and the same call come for any call_id",
    mutate: always(OTHER_CALL),
  },
  {
    id: "call-id-changed",
    class: "identity",
    operation: "getMetadataByCallId",
    contract: "interface",
    says: "call_id of a record is not the one asked for",
    mutate: field("call_id", (value) => `0${toText(value)}`),
  },
  {
    id: "other-call-added",
    class: "identity",
    operation: "getMetadataByCallId",
    contract: "interface",
    says: "a record of another call comes along",
    mutate: list((found) => [
      ...found,
      ...found.slice(0, 1).map((record) => ({ ...record, call_id: "300000000100018" })),
    ]),
  },
  {
    id: "reference-ignored",
    class: "identity",
    operation: "getMetadataByReference",
    contract: "interface",
    says: "the records of one and the same reference come for any ref_id",
    mutate: always(OTHER_REFERENCE),
  },
  {
    id: "reference-finds-nothing",
    class: "identity",
    operation: "getMetadataByReference",
    contract: "interface",
    says: "no reference finds a record",
    mutate: list(() => []),
  },
  {
    id: "record-differs-by-call-id",
    class: "identity",
    operation: "getMetadataByCallId",
    contract: "interface",
    says: "the agent of a record is another than in a search",
    mutate: field("agent", "amara.okafor.2"),
  },
  {
    id: "record-differs-by-reference",
    class: "identity",
    operation: "getMetadataByReference",
    contract: "interface",
    says: "campaign and disposition are null when asked by reference",
    mutate: records((record) => ({ ...record, campaign: null, disposition: null })),
  },
  {
    id: "address-of-another",
    class: "identity",
    operation: "getUserAddresses",
    contract: "interface",
    says: "the address of user 2 comes for any user_id",
    mutate: alwaysUser("2"),
  },
  {
    id: "rights-of-another",
    class: "identity",
    operation: "getUserSecurityRights",
    contract: "interface",
    says: "the rights of user 1 come for any user_id",
    mutate: alwaysUser("1"),
  },
  {
    id: "address-with-other-id",
    class: "identity",
    operation: "getUserAddresses",
    contract: "interface",
    says: "id of an address is one more than that of the user",
    mutate: field("id", (value) => Number(value) + 1),
  },
  {
    id: "rights-with-other-name",
    class: "identity",
    operation: "getUserSecurityRights",
    contract: "interface",
    says: "username of a security record is another than in the list",
    mutate: field("username", (value) => `${toText(value)}.old`),
  },
  {
    id: "private-flags-of-one",
    class: "identity",
    operation: "listPrivateFlags",
    contract: "interface",
    says: "the private flags of user 1 come for any user_id",
    mutate: alwaysUser("1"),
  },
  {
    id: "private-with-public-flags",
    class: "identity",
    operation: "listPrivateFlags",
    contract: "interface",
    says: "public flags come among the private ones",
    mutate: withFlagsOf("/flags/public", ""),
  },
  {
    id: "public-with-private-flags",
    class: "identity",
    operation: "listPublicFlags",
    contract: "interface",
    says: "private flags come among the public ones",
    mutate: withFlagsOf("/flags/private", "user_id=1"),
  },
  {
    id: "chat-of-another",
    class: "identity",
    operation: "getChatByCallId",
    contract: "interface",
    says: "the chat of one and the same call comes for any call_id",
    mutate: always(OTHER_CALL),
  },
  {
    id: "status-ignored",
    class: "identity",
    operation: "listUsers",
    contract: "interface",
    says: "users of every status come for any status",
    mutate: asIf((request) =>
      ["active", "inactive", "deleted"].includes(queryOf(request, "status"))
        ? withQuery(request, { status: "all" })
        : request,
    ),
  },
  {
    id: "all-without-deleted",
    class: "identity",
    operation: "listUsers",
    contract: "interface",
    says: "all leaves out deleted users",
    mutate: list((users, request) =>
      queryOf(request, "status") === "all" ? users.filter((user) => user.status !== 2) : users,
    ),
  },
  {
    id: "statuses-swapped",
    class: "identity",
    operation: "listUsers",
    contract: "decision",
    says: "status 0 stands for active and 1 for inactive",
    mutate: field("status", (value) => (value === 0 ? 1 : value === 1 ? 0 : value)),
  },
  {
    id: "user-listed-twice",
    class: "identity",
    operation: "listUsers",
    contract: "interface",
    says: "the last user of a list is there twice",
    mutate: list((users) => [...users, ...users.slice(-1)]),
  },
  {
    id: "part-ignored",
    class: "identity",
    operation: [...BASE64, ...STREAMS],
    contract: "decision",
    says: "part is ignored",
    mutate: asIf((request) => withQuery(request, { part: undefined })),
  },
];
