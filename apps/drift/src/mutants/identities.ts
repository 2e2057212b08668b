// Mutants that return something or somebody else.
import { field, list, records, toRecords, parseSuccess, toText } from "../edits/json.ts";
import { asIf, queryOf, withIdentifier, withQuery } from "../edits/requests.ts";
import { withBody } from "../edits/answers.ts";
import type { Mutate } from "../exchange.ts";
import { BASE64, STREAMS, type Mutant, toMutants } from "./mutant.ts";

// From the demo archive: a spoken call, and a reference of another call.
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
  ...toMutants("identity", "interface", {
    "call-id-ignored": [
      "getMetadataByCallId",
      "the records of one and the same call come for any call_id",
      always(OTHER_CALL),
    ],
    "call-id-changed": [
      "getMetadataByCallId",
      "call_id of a record is not the one asked for",
      field("call_id", (value) => `0${toText(value)}`),
    ],
    "other-call-added": [
      "getMetadataByCallId",
      "a record of another call comes along",
      list((found) => [
        ...found,
        ...found.slice(0, 1).map((record) => ({ ...record, call_id: "300000000100018" })),
      ]),
    ],
    "reference-ignored": [
      "getMetadataByReference",
      "the records of one and the same reference come for any ref_id",
      always(OTHER_REFERENCE),
    ],
    "reference-finds-nothing": [
      "getMetadataByReference",
      "no reference finds a record",
      list(() => []),
    ],
    "record-differs-by-call-id": [
      "getMetadataByCallId",
      "the agent of a record is another than in a search",
      field("agent", "amara.okafor.2"),
    ],
    "record-differs-by-reference": [
      "getMetadataByReference",
      "campaign and disposition are null when asked by reference",
      records((record) => ({ ...record, campaign: null, disposition: null })),
    ],
    "address-of-another": [
      "getUserAddresses",
      "the address of user 2 comes for any user_id",
      alwaysUser("2"),
    ],
    "rights-of-another": [
      "getUserSecurityRights",
      "the rights of user 1 come for any user_id",
      alwaysUser("1"),
    ],
    "address-with-other-id": [
      "getUserAddresses",
      "id of an address is one more than that of the user",
      field("id", (value) => Number(value) + 1),
    ],
    "rights-with-other-name": [
      "getUserSecurityRights",
      "username of a security record is another than in the list",
      field("username", (value) => `${toText(value)}.old`),
    ],
    "private-flags-of-one": [
      "listPrivateFlags",
      "the private flags of user 1 come for any user_id",
      alwaysUser("1"),
    ],
    "private-with-public-flags": [
      "listPrivateFlags",
      "public flags come among the private ones",
      withFlagsOf("/flags/public", ""),
    ],
    "public-with-private-flags": [
      "listPublicFlags",
      "private flags come among the public ones",
      withFlagsOf("/flags/private", "user_id=1"),
    ],
    "chat-of-another": [
      "getChatByCallId",
      "the chat of one and the same call comes for any call_id",
      always(OTHER_CALL),
    ],
    "status-ignored": [
      "listUsers",
      "users of every status come for any status",
      asIf((request) =>
        ["active", "inactive", "deleted"].includes(queryOf(request, "status"))
          ? withQuery(request, { status: "all" })
          : request,
      ),
    ],
    "all-without-deleted": [
      "listUsers",
      "all leaves out deleted users",
      list((users, request) =>
        queryOf(request, "status") === "all" ? users.filter((user) => user.status !== 2) : users,
      ),
    ],
    "user-listed-twice": [
      "listUsers",
      "the last user of a list is there twice",
      list((users) => [...users, ...users.slice(-1)]),
    ],
  }),
  ...toMutants("identity", "decision", {
    "statuses-swapped": [
      "listUsers",
      "status 0 stands for active and 1 for inactive",
      field("status", (value) => (value === 0 ? 1 : value === 1 ? 0 : value)),
    ],
    "part-ignored": [
      [...BASE64, ...STREAMS],
      "part is ignored",
      asIf((request) => withQuery(request, { part: undefined })),
    ],
  }),
];
