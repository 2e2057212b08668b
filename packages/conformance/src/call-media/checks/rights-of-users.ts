// What a caller with fewer rights sees of users and flags (D22).
import { toIdentity, toMatchKey } from "../archive/records.ts";
import { type JsonObject, recordsOf } from "../answer.ts";
import { unless } from "../run.ts";
import type { Context } from "./check.ts";
import type { Attempt, Second } from "./second-caller.ts";

const MAX_OTHERS = 2;

/** The second caller, and a few others. */
function pickUsers({ sample: { users } }: Context, { user }: Second): readonly JsonObject[] {
  const others = users.filter(({ id }) => id !== user["id"]);
  return [user, ...others.slice(0, MAX_OTHERS)];
}

export async function proveUsers(context: Context, second: Second): Promise<Attempt[]> {
  const { run } = context;
  const attempts: Attempt[] = [];
  for (const { id } of pickUsers(context, second)) {
    const query = { user_id: String(id) };
    for (const operation of ["getUserAddresses", "getUserSecurityRights"] as const) {
      const theirs = await second.ask({ operation, query });
      if (id === second.user["id"]) {
        const ours = await run.recall({ operation, query });
        const isSame = toIdentity(theirs.json) === toIdentity(ours.json);
        const fault = unless(isSame, "the answer is another than that to the first caller");
        run.prove("rights.own", theirs, fault);
      } else {
        const isHidden = theirs.status === 200 && recordsOf(theirs).length === 0;
        const fault = unless(isHidden, `another user is given, ${theirs.status}`);
        run.prove("rights.users", theirs, fault);
        attempts.push({ operation, fault });
      }
    }
  }
  return attempts;
}

export async function provePrivateFlags(context: Context, second: Second): Promise<Attempt[]> {
  const { run } = context;
  const attempts: Attempt[] = [];
  for (const { id } of pickUsers(context, second)) {
    const request = { operation: "listPrivateFlags", query: { user_id: String(id) } } as const;
    const theirs = await second.ask(request);
    const isOwn = id === second.user["id"];
    const expected = isOwn ? recordsOf(await run.recall(request)) : [];
    const found = recordsOf(theirs);
    const isSame = toIdentity(found) === toIdentity(expected);
    const told = `${found.length} flags of user ${String(id)} are given, not ${expected.length}`;
    const fault = unless(isSame, told);
    run.prove("rights.private-flags", theirs, fault);
    if (!isOwn) attempts.push({ operation: request.operation, fault });
  }
  return attempts;
}

export async function provePublicFlags({ run }: Context, { ask, rights: of }: Second) {
  const theirs = await ask({ operation: "listPublicFlags" });
  const ours = await run.recall({ operation: "listPublicFlags" });
  const allowed = of["allowed_flags"];
  const names = new Set(
    (Array.isArray(allowed) ? allowed : []).map((name) => toMatchKey("Name", name)),
  );
  const isAll = of["allow_all_flags"] === true;
  const expected = recordsOf(ours).filter(
    ({ Name }) => isAll || names.has(toMatchKey("Name", Name)),
  );
  const found = recordsOf(theirs);
  const isSame = toIdentity(found) === toIdentity(expected);
  const fault = `${found.length} flags are given; the rights cover ${expected.length}`;
  run.prove("rights.public-flags", theirs, unless(isSame, fault));
}
