// The complete client: the fifteen calls of the contract, searches and recordings.
import { createCaller } from "./call/caller.ts";
import { type ContractCalls, toContractCalls } from "./call/contract-calls.ts";
import { createMethods, type OperationMethods } from "./call/methods.ts";
import { check } from "./check.ts";
import { type ContractOptions, parseOptions } from "./options.ts";
import { checkProfile, type Profile } from "./profile.ts";
import { createRecordings, type Recordings } from "./recordings/recordings.ts";
import { type Calls, createCalls } from "./search/calls.ts";

/**
 * The fifteen operations of the contract, by name and by path, and searches and recordings on top of them.
 */
export interface CallMediaClient extends ContractCalls, OperationMethods {
  readonly calls: Calls;
  readonly recordings: Recordings;
  /**
   * Returns the Authorization header, with a valid token or the key. Use it for requests that the client does not send,
   * such as that of an `<audio>` element. Signs in if needed. After a 401, pass the header that was refused.
   *
   * @throws CallMediaError if the sign-in fails; TypeError with `credentials: "same-origin"`, which has no header.
   */
  authorization(refused?: string): Promise<string>;
}

/** The URL of the service, the credentials, and a profile of the service. */
export type ClientOptions = ContractOptions & {
  /** The service's behaviour where the interface is silent. Default: the client finds out. */
  readonly profile?: Profile | undefined;
};

/**
 * Creates a client of the service at `baseUrl`. It signs in with `credentials` before the first call and renews the token
 * shortly before it expires. After a 401 it repeats a call once with a new token. It follows no redirect, so that no secret
 * reaches another host.
 *
 * @throws TypeError naming the option that is missing or wrong.
 * @example
 * ```ts
 * const client = createClient({ baseUrl: "https://archive.example.com", credentials });
 * const { data } = await client.GET("/flags/public");
 * ```
 */
export function createClient(options: ClientOptions): CallMediaClient {
  const parsed = parseOptions(options);
  const profile = options.profile ?? {};
  checkProfile(profile, parsed.baseUrl);
  const caller = createCaller(parsed);
  const contract = toContractCalls(caller);
  return {
    ...contract,
    ...createMethods(caller),
    recordings: createRecordings(caller),
    calls: createCalls(caller, profile),
    async authorization(refused) {
      const bearer = caller.session(refused?.replace(/^Bearer /, ""));
      check(bearer, "Cookies sign the requests of this client");
      return `Bearer ${typeof bearer === "string" ? bearer : await bearer()}`;
    },
  };
}
