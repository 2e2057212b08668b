// The client as a whole: the fifteen calls of the contract, and what is built on them.
import { createCaller } from "./call/caller.ts";
import { type ContractCalls, toContractCalls } from "./call/contract-calls.ts";
import { check } from "./check.ts";
import { type ContractOptions, parseOptions } from "./options.ts";
import { checkProfile, type Profile } from "./profile.ts";
import { createRecordings, type Recordings } from "./recordings/recordings.ts";
import { type Calls, createCalls } from "./search/calls.ts";

/** The fifteen calls of the contract, and searches and recordings on top of them. */
export interface CallMediaClient extends ContractCalls {
  readonly calls: Calls;
  readonly recordings: Recordings;
  /**
   * The Authorization header for a request that the client does not send, such as one for an `<audio>` element: a valid
   * token or the key. Signs in when needed, once for all callers. After a 401, pass the header that was refused.
   *
   * @throws CallMediaError where the sign-in fails; TypeError with `credentials: "same-origin"`, which has no header.
   */
  authorization(refused?: string): Promise<string>;
}

/** Where the service is, who calls, and what is known of the service beforehand. */
export type ClientOptions = ContractOptions & {
  /** How the service answers what the interface leaves open; default: as the decisions have it. */
  readonly profile?: Profile | undefined;
};

/**
 * A client of the service at `baseUrl`. It signs in with `credentials` when first needed, once for
 * any number of calls under way, renews the token shortly before it expires, and after a 401 tries a
 * call once more with a new token. An `apiKey` is sent as it is. No redirect is followed, so that no
 * secret leaves for another host.
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
    recordings: createRecordings(caller),
    calls: createCalls(caller, profile),
    async authorization(refused) {
      const bearer = caller.session(refused?.replace(/^Bearer /, ""));
      check(bearer, "Cookies sign the requests of this client");
      return `Bearer ${typeof bearer === "string" ? bearer : await bearer()}`;
    },
  };
}
