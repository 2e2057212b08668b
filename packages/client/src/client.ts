// The client as a whole: the fifteen calls of the contract, and what is built on them.
import { type Calls, createCalls } from "./calls.ts";
import { type ContractCalls, createContractCalls } from "./contract-calls.ts";
import { type ClientOptions, parseOptions } from "./options.ts";
import { createRecordings, type Recordings } from "./recordings.ts";

/** The fifteen calls of the contract, and searches and recordings on top of them. */
export interface CallMediaClient extends ContractCalls {
  readonly calls: Calls;
  readonly recordings: Recordings;
}

/**
 * A client of the service at `baseUrl`. It signs in with `credentials` when first needed, once for
 * any number of calls under way, renews the token shortly before it expires, and after a 401 tries a
 * call once more with a new token. An `apiKey` is sent as it is. No redirect is followed, so that no
 * secret leaves for another host.
 *
 * @throws TypeError naming the option that is missing or wrong.
 */
export function createClient(options: ClientOptions): CallMediaClient {
  const parsed = parseOptions(options);
  const contract = createContractCalls(parsed);
  return {
    ...contract,
    calls: createCalls(contract, parsed.profile),
    recordings: createRecordings(contract),
  };
}
