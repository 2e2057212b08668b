// Flags: of which type they are, and whose.
import { findMissing } from "../archive/records.ts";
import { type JsonObject, recordsOf } from "../answer.ts";
import { unless } from "../run.ts";
import type { Check } from "./check.ts";
import { findTwice, MAX_USERS, ofUser, readList } from "./users.ts";

export const flags: Check = {
  about: "flags",
  proves: ["flags.public", "flags.private"],
  run: async ({ run, sample: { users } }) => {
    const open = await run.succeed({ operation: "listPublicFlags" });
    run.prove("flags.public", open, findFlagFault(recordsOf(open), "Public"));
    const owners = new Map<unknown, string>();
    for (const { id } of users.slice(0, MAX_USERS)) {
      const answer = await readList(run, ofUser("listPrivateFlags", String(id)));
      const found = recordsOf(answer);
      const shared = found.find(({ Id }) => owners.has(Id));
      for (const { Id } of found) owners.set(Id, String(id));
      const isPublic = findMissing(found, recordsOf(open)).length < found.length;
      run.prove(
        "flags.private",
        answer,
        findFlagFault(found, "Private") ??
          (shared && `the flag ${String(shared["Id"])} belongs to two users`) ??
          unless(!isPublic, "a public flag is among them"),
      );
    }
  },
};

function findFlagFault(records: readonly JsonObject[], type: string): string | undefined {
  const other = records.find((record) => record["Type"] !== type);
  return other ? `a flag of Type ${String(other["Type"])} is among them` : findTwice(records);
}
