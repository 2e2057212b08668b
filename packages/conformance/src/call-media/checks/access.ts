// Who is let in: the matrix of operations and bad credentials, and an API key in place of a token.
import type { OperationId } from "@call-media/api";
import { type Ask, findRefusal, isRefusal } from "../answer.ts";
import { ONE_OF_EACH, WITH_TOKEN } from "../requirements/requirement.ts";
import type { RequirementId } from "../requirements/manifest.ts";
import { type Run, unless } from "../run.ts";
import { type Check, type Context, toRightAsk } from "./check.ts";

interface BadCredential {
  readonly id: RequirementId;
  readonly operations: readonly OperationId[];
  /** The Authorization header; undefined when there is nothing to make it of. */
  readonly toHeader: (context: Context) => string | null | undefined;
}

const BAD_CREDENTIALS: readonly BadCredential[] = [
  { id: "auth.missing", operations: WITH_TOKEN, toHeader: () => null },
  { id: "auth.malformed", operations: WITH_TOKEN, toHeader: () => "Bearer this is no token" },
  {
    id: "auth.random",
    operations: WITH_TOKEN,
    toHeader: () => `Bearer ${crypto.randomUUID().replaceAll("-", "")}`,
  },
  {
    id: "auth.random",
    operations: ONE_OF_EACH,
    toHeader: ({ run }) => `${run.authorization()}x`,
  },
  {
    id: "auth.scheme",
    operations: WITH_TOKEN,
    toHeader: ({ run }) => run.authorization().replace(/^Bearer/, "Token"),
  },
  {
    id: "auth.expired",
    operations: WITH_TOKEN,
    toHeader: ({ target: { expiredToken } }) => expiredToken && `Bearer ${expiredToken}`,
  },
];

export const badCredentials: Check = {
  about: "requests without a valid token",
  proves: ["auth.missing", "auth.malformed", "auth.random", "auth.scheme", "auth.expired"],
  run: async (context) => {
    const { run, sample } = context;
    const cells = BAD_CREDENTIALS.flatMap(({ id, operations, toHeader }) => {
      const authorization = toHeader(context);
      if (authorization === undefined || authorization === "") {
        run.skip(id, "no expired token was given");
        return [];
      }
      return operations.map((operation) => ({
        id,
        ask: { ...toRightAsk(operation, sample), authorization },
      }));
    });
    await Promise.all([...cells, ...inQuery(context)].map((cell) => proveRefused(run, cell)));
  },
};

interface Cell {
  readonly id: RequirementId;
  readonly ask: Ask;
  /** Whether what is asked may be refused for another reason as well. */
  readonly isOdd?: boolean;
}

/** Once, and never with a key: what stands in a URL stands in the logs of the service. */
function inQuery({ run, signedIn }: Context): readonly Cell[] {
  const query = { access_token: run.authorization().replace(/^Bearer /, "") };
  const ask: Ask = { operation: "listPublicFlags", query, authorization: null };
  // A service that knows no such parameter may refuse it before it looks for a token.
  return signedIn === undefined ? [] : [{ id: "auth.missing", ask, isOdd: true }];
}

async function proveRefused(run: Run, { id, ask, isOdd = false }: Cell): Promise<void> {
  const answer = await run.ask(ask);
  const isRefused = answer.status === 401 || (isOdd && isRefusal(answer));
  run.prove(id, answer, unless(isRefused, `the answer is ${answer.status}`));
}

export const schemeCase: Check = {
  about: "the letter case of the scheme",
  proves: ["auth.scheme-case"],
  run: async ({ run }) => {
    const authorization = run.authorization().replace(/^Bearer/, "bearer");
    const answer = await run.ask({ operation: "listPublicFlags", authorization });
    run.prove("auth.scheme-case", answer, findRefusal(answer));
  },
};

export const apiKey: Check = {
  about: "an API key in place of a token",
  proves: ["auth.api-key"],
  run: async ({ run, sample, target: { apiKey: key } }) => {
    if (key === undefined) return run.skip("auth.api-key", "no API key was given");
    await Promise.all(
      ONE_OF_EACH.map(async (operation) => {
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
