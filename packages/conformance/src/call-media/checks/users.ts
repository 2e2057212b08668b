// Users by status, and the address and the rights of each.
import { findMissing } from "../archive/records.ts";
import {
  type Answer,
  type Ask,
  isPassed,
  isSuccess,
  type JsonObject,
  recordsOf,
} from "../answer.ts";
import type { Run } from "../run.ts";
import { unless } from "../run.ts";
import type { Check } from "./check.ts";

const STATUSES = { active: 1, inactive: 0, deleted: 2 } as const;
export const MAX_USERS = 4;
// No archive has had that many; still an integer that every language reads.
const NO_USER = "2147480017";

export const ofUser = (
  operation: "getUserAddresses" | "getUserSecurityRights" | "listPrivateFlags",
  id: string,
) => ({ operation, query: { user_id: id } }) as const;

export const userStatuses: Check = {
  about: "users by status",
  proves: ["users.distinct", "users.status", "users.status-integers"],
  run: async ({ run, sample: { users } }) => {
    const all = await run.succeed({ operation: "listUsers", query: { status: "all" } });
    run.prove("users.distinct", all, findTwice(recordsOf(all)));
    const listed: JsonObject[] = [];
    for (const [name, status] of Object.entries(STATUSES)) {
      const answer = await readList(run, { operation: "listUsers", query: { status: name } });
      const records = recordsOf(answer);
      run.prove("users.distinct", answer, findTwice(records));
      run.prove("users.status", answer, findStranger(records, { all: users, listed }));
      listed.push(...records);
      proveInteger(run, answer, { name, status });
    }
    const isShared = listed.length === users.length && findMissing(listed, users).length === 0;
    const fault = `all lists ${users.length} users, the three statuses ${listed.length}`;
    run.prove("users.status", all, unless(isShared, fault));
  },
};

interface Lists {
  readonly all: readonly JsonObject[];
  /** Under the statuses before. */
  readonly listed: readonly JsonObject[];
}

/** A status may have several integers, which the interface does not show; no integer is of two statuses. */
function findStranger(records: readonly JsonObject[], { all, listed }: Lists): string | undefined {
  const taken = new Set(listed.map(({ status }) => status));
  const shared = records.find(({ status }) => taken.has(status));
  if (shared !== undefined)
    return `the integer ${String(shared["status"])} stands for another status too`;
  const [stranger] = findMissing(records, all);
  return stranger && `all does not list the user ${JSON.stringify(stranger["id"])} so`;
}

function proveInteger(
  run: Run,
  answer: Answer,
  { name, status }: { name: string; status: number },
) {
  const integers = [...new Set(recordsOf(answer).map(({ status: integer }) => integer))];
  const isOurs = integers.every((integer) => integer === status);
  const observed = integers.join(", ");
  run.prove("users.status-integers", answer, unless(isOurs, `${name} is ${observed}`));
  if (integers.length === 0) return;
  run.observe({
    decision: "D05",
    question: `Which integer stands for ${name}?`,
    observed,
    value: integers.map(String),
    agrees: isOurs,
  });
}

/** A list that may be empty: where nothing is, 404 and a refusal in the body are as lawful as 200 (D15). */
export async function readList(run: Run, ask: Ask): Promise<Answer> {
  const answer = await run.recall(ask);
  const isAnswered = isPassed(answer) || answer.status === 404;
  run.prove("answer.success", answer, unless(isAnswered, `the answer is ${answer.status}`));
  return answer;
}

export function findTwice(records: readonly JsonObject[]): string | undefined {
  const keys = ["id", "username", "Id"].find((name) => {
    const values = records.map((record) => record[name]).filter((value) => value !== undefined);
    return new Set(values).size !== values.length;
  });
  return keys && `one ${keys} stands twice`;
}

export const eachUser: Check = {
  about: "what is given for each user",
  proves: ["users.echo", "security.lists"],
  run: async ({ run, sample: { users } }) => {
    await Promise.all(
      users.slice(0, MAX_USERS).map(async (user) => {
        const id = String(user["id"]);
        for (const operation of ["getUserAddresses", "getUserSecurityRights"] as const) {
          const answer = await run.succeed(ofUser(operation, id));
          const [record, ...more] = recordsOf(answer);
          const isTheirs =
            record?.["id"] === user["id"] && record?.["username"] === user["username"];
          const fault = unless(
            isTheirs && more.length === 0,
            `user_id ${JSON.stringify(id)} gives ${JSON.stringify(record?.["username"] ?? null)}, not ${JSON.stringify(user["username"])} alone`,
          );
          run.prove("users.echo", answer, fault);
          if (operation === "getUserSecurityRights" && record !== undefined)
            run.prove("security.lists", answer, findNeedlessList(record));
        }
      }),
    );
  },
};

function findNeedlessList(record: JsonObject): string | undefined {
  const found = Object.entries(record).find(([name, list]) => {
    const all = record[name.replace(/^allowed_/, "allow_all_")];
    return (
      /^allowed_(?:secure\d\d|media|services|download_doc_type)$/.test(name) &&
      all === true &&
      Array.isArray(list) &&
      list.length > 0
    );
  });
  return found && `${found[0]} lists values although everything is allowed`;
}

export const unknownUsers: Check = {
  about: "a user who cannot exist",
  proves: ["users.unknown"],
  run: async ({ run }) => {
    for (const operation of [
      "getUserAddresses",
      "getUserSecurityRights",
      "listPrivateFlags",
    ] as const) {
      const answer = await run.ask(ofUser(operation, NO_USER));
      const isEmpty = isSuccess(answer) && recordsOf(answer).length === 0;
      run.prove(
        "users.unknown",
        answer,
        unless(
          answer.status === 200 && isEmpty,
          `the answer is ${answer.status}${isEmpty ? "" : ", not empty"}`,
        ),
      );
      run.observe({
        decision: "D15",
        question: `How is an unknown user_id answered? (${operation})`,
        observed: `${answer.status}${isEmpty ? " and empty" : ""}`,
        value: answer.status,
        agrees: answer.status === 200 && isEmpty,
      });
    }
  },
};
