// What is asked of a random archive: by identifier, by search, of users and flags.
import * as fc from "fast-check";
import type { Sent } from "./face.ts";
import { CALL_IDS, chatId, REFERENCES, USERS, word } from "./rights-world.ts";

/** The seed of every random archive. To repeat a run, set `CALL_MEDIA_SEED=<seed>`. */
export const SEED = Number(process.env["CALL_MEDIA_SEED"] ?? Date.now() % 2 ** 31);

/** A world that fails is too large to print or to make smaller: what is wrong with it is what the error says. */
export async function expectAlways<T>(property: fc.IAsyncProperty<T>, numRuns: number) {
  const run = await fc.check(property, { seed: SEED, numRuns, endOnFailure: true });
  if (run.failed) throw run.errorInstance;
}

export type ByCall = { readonly by: "call-id" | "reference"; readonly id: string };

export type Question =
  | (ByCall & { readonly ask: "records" })
  | (ByCall & { readonly ask: "recording"; readonly isStream: boolean; readonly part: number })
  | { readonly ask: "chat"; readonly id: string }
  | {
      readonly ask: "search";
      readonly at: "search" | "by-custom-fields";
      readonly filter: Readonly<Record<string, string>>;
      readonly days: readonly [string, string];
      /** D30. */
      readonly words?: string;
    }
  | { readonly ask: "users"; readonly status: "active" | "inactive" | "deleted" | "all" }
  | { readonly ask: "user"; readonly of: "address" | "security"; readonly userId: number }
  /** Without a user: the public ones. */
  | { readonly ask: "flags"; readonly userId: number | undefined };

const byCall = fc.oneof(
  fc.record({ by: fc.constant("call-id" as const), id: fc.constantFrom(...CALL_IDS, "none") }),
  fc.record({ by: fc.constant("reference" as const), id: fc.constantFrom(...REFERENCES, "none") }),
);
const DAYS = ["2026-02-01", "2026-02-02", "2026-02-03", "2026-02-04"] as const;
const days = fc
  .tuple(fc.constantFrom(...DAYS), fc.constantFrom(...DAYS))
  .map(([a, b]) => (a < b ? ([a, b] as const) : ([b, a] as const)));
const userId = fc.integer({ min: 1, max: USERS + 1 });

// A restricted field of each kind and one that is not: most questions ask for one or two.
const toFilter = (fields: readonly string[], least: number) =>
  fc
    .tuple(fc.subarray([...fields], { minLength: least, maxLength: 2 }), word, word)
    .map(([names, ...values]) =>
      Object.fromEntries(names.map((name, at) => [name, values[at] ?? ""])),
    );
const CUSTOM = [1, 2, 3, 4, 5].map((n) => `security_field_0${n}`).concat("custom_field_1");
const search = fc.oneof(
  fc.record({
    ask: fc.constant("search" as const),
    at: fc.constant("search" as const),
    filter: toFilter(["campaign", "skill", "agent", "agent_group", "media"], 1),
    days,
  }),
  fc.record({
    ask: fc.constant("search" as const),
    at: fc.constant("by-custom-fields" as const),
    filter: toFilter(CUSTOM, 0),
    days,
  }),
);

// Some are in texts of hidden calls alone, or in no call.
const TYPED =
  're*|refund*|refund|reimbursements*|reimbursementz*|"the bill"|"bill the"|"the bi*"|zz*|\u03b6\u03b5*|0100|2065550123|stra* re*|"straße"'.split(
    "|",
  );
export const searchByWords: fc.Arbitrary<Question> = fc
  .tuple(search, fc.constantFrom(...TYPED))
  .map(([asked, words]) => ({ ...asked, words }));

export const question: fc.Arbitrary<Question> = fc.oneof(
  { weight: 4, arbitrary: search },
  { weight: 3, arbitrary: byCall.map((of) => ({ ask: "records" as const, ...of })) },
  {
    weight: 4,
    arbitrary: fc
      .tuple(byCall, fc.boolean(), fc.constantFrom(1, 1, 2, 3))
      .map(([of, isStream, part]) => ({ ask: "recording" as const, ...of, isStream, part })),
  },
  { weight: 2, arbitrary: chatId.map((id) => ({ ask: "chat" as const, id })) },
  fc.record({
    ask: fc.constant("users" as const),
    status: fc.constantFrom(
      "active" as const,
      "inactive" as const,
      "deleted" as const,
      "all" as const,
    ),
  }),
  fc.record({
    ask: fc.constant("user" as const),
    of: fc.constantFrom("address" as const, "security" as const),
    userId,
  }),
  fc.record({
    ask: fc.constant("flags" as const),
    userId: fc.option(userId, { freq: 2, nil: undefined }),
  }),
);

export function toSent(asked: Question, pageIndex = 0): Sent {
  if (asked.ask !== "search") return { method: "GET", path: toPath(asked) };
  const [startDate, endDate] = asked.days;
  const words = asked.words === undefined ? "" : `&words=${encodeURIComponent(asked.words)}`;
  const path = `/metadata/${asked.at}?pageIndex=${pageIndex}&startDate=${startDate}&endDate=${endDate}${words}`;
  return { method: "POST", path, headers: { Prefer: "count=exact" }, body: asked.filter };
}

function toPath(asked: Exclude<Question, { ask: "search" }>): string {
  const id = "id" in asked ? encodeURIComponent(asked.id) : "";
  if (asked.ask === "records") return `/metadata/by-${asked.by}/${id}`;
  if (asked.ask === "recording")
    return `/recording/${asked.isStream ? "stream-" : ""}by-${asked.by}/${id}?part=${asked.part}`;
  if (asked.ask === "chat") return `/chat/by-call-id/${id}`;
  if (asked.ask === "users") return `/users/basic-info?status=${asked.status}`;
  if (asked.ask === "user") return `/users/${asked.of}-info?user_id=${asked.userId}`;
  return asked.userId === undefined ? "/flags/public" : `/flags/private?user_id=${asked.userId}`;
}
