// Who is let in: the matrix of operations and bad credentials, and an API key in place of a token.
import { routeOf } from "../http/answer.ts";
import { WITH_TOKEN } from "../requirements/requirement.ts";
import type { RequirementId } from "../requirements/manifest.ts";
import { unless } from "../run.ts";
import { type Check, type Context, toRightAsk } from "./check.ts";

interface BadCredential {
  readonly id: RequirementId;
  /** The Authorization header; undefined when there is nothing to make it of. */
  readonly toHeader: (context: Context) => string | null | undefined;
}

const BAD_CREDENTIALS: readonly BadCredential[] = [
  { id: "auth.missing", toHeader: () => null },
  { id: "auth.malformed", toHeader: () => "Bearer this is no token" },
  { id: "auth.random", toHeader: () => `Bearer ${crypto.randomUUID().replaceAll("-", "")}` },
  {
    id: "auth.scheme",
    toHeader: ({ run }) => run.authorization().replace(/^Bearer/, "Token"),
  },
  {
    id: "auth.expired",
    toHeader: ({ target: { expiredToken } }) => expiredToken && `Bearer ${expiredToken}`,
  },
];

export const badCredentials: Check = {
  about: "requests without a valid token",
  proves: BAD_CREDENTIALS.map(({ id }) => id),
  run: async (context) => {
    const { run, sample } = context;
    const rows = BAD_CREDENTIALS.flatMap(({ id, toHeader }) => {
      const header = toHeader(context);
      if (header !== undefined && header !== "") return [{ id, header }];
      run.skip(id, "no expired token was given");
      return [];
    });
    const cells = rows.flatMap((row) => WITH_TOKEN.map((operation) => ({ ...row, operation })));
    await Promise.all(
      cells.map(async ({ id, header, operation }) => {
        const answer = await run.ask({
          ...toRightAsk(operation, sample),
          authorization: header,
        });
        run.prove(id, answer, unless(answer.status === 401, `the answer is ${answer.status}`));
      }),
    );
  },
};

const ONE_OF_EACH_TAG = WITH_TOKEN.filter(
  (operation, index, all) =>
    all.findIndex((other) => routeOf(other).tag === routeOf(operation).tag) === index,
);

export const apiKey: Check = {
  about: "an API key in place of a token",
  proves: ["auth.api-key"],
  run: async ({ run, sample, target: { apiKey: key } }) => {
    if (key === undefined) return run.skip("auth.api-key", "no API key was given");
    await Promise.all(
      ONE_OF_EACH_TAG.map(async (operation) => {
        const answer = await run.ask({
          ...toRightAsk(operation, sample),
          authorization: `Bearer ${key}`,
        });
        const { status } = answer;
        run.prove("auth.api-key", answer, unless(status !== 401, "the API key is refused"));
      }),
    );
  },
};
