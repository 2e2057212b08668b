// Users: an administrator sees all, other users only themselves (D22).
import { fieldsOf } from "@call-media/api";
import { USER_STATUS, type UserRecord } from "@call-media/store";
import { toDictionaryHeader } from "../dictionary.ts";
import { toEnvelope } from "./envelope.ts";
import type { Operations, Request } from "./handler.ts";

// `all` is not a status of a user.
const STATUS = { ...USER_STATUS, all: undefined };

const BASIC = fieldsOf("UserBasicRecord");
const ADDRESS = fieldsOf("UserAddressRecord");
const SECURITY = fieldsOf("UserSecurityRecord");

export const users = {
  listUsers: async ({ input, caller, store }) => {
    const status = STATUS[input.query.status];
    // Other users' records are not read: the response time would reveal how many there are.
    const seen = caller.user.is_admin
      ? await store.users.list(status)
      : [caller.user].filter((user) => status === undefined || status === user.status);
    const { id, username } = caller.user;
    return {
      body: toEnvelope(seen.map((user) => pick(user, BASIC))),
      // An administrator sees others too, and could not tell which of them is the caller (D39).
      headers: toDictionaryHeader("Caller", { id, username }),
    };
  },

  getUserAddresses: async (request) => ({
    body: toEnvelope((await findSeen(request)).map((user) => pick(user, ADDRESS))),
  }),

  getUserSecurityRights: async (request) => ({
    body: toEnvelope((await findSeen(request)).map((user) => pick(user, SECURITY))),
  }),
} satisfies Pick<Operations, "listUsers" | "getUserAddresses" | "getUserSecurityRights">;

type OneUserRequest = Request<"getUserAddresses"> | Request<"getUserSecurityRights">;

// Another user's record and an unknown id get the same response (D15, D21).
async function findSeen({ input, caller, store }: OneUserRequest): Promise<UserRecord[]> {
  const { user_id: id } = input.query;
  if (!caller.user.is_admin && id !== caller.user.id) return [];
  const user = await store.users.byId(id);
  return user === undefined ? [] : [user];
}

function pick<Field extends keyof UserRecord>(
  user: UserRecord,
  fields: readonly Field[],
): Pick<UserRecord, Field> {
  return Object.fromEntries(fields.map((field) => [field, user[field]])) as Pick<UserRecord, Field>; // exactly these fields
}
