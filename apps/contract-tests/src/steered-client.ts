// A client whose requests to the mock are kept, and can be steered to one of the document's answers.
import { type CallMediaClient, type Credentials, createClient } from "@call-media/client";

/** A request as it left the client, with what Prism had to say against it. */
export interface KeptRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Headers;
  /** The JSON body; undefined where there was none. */
  readonly body: unknown;
  /** The text of `sl-violations`; empty where Prism found the request right. */
  readonly violations: string;
}

export interface SteeredClient {
  readonly client: CallMediaClient;
  readonly kept: readonly KeptRequest[];
}

export interface Steering {
  readonly baseUrl: string;
  /** Which answer the mock gives, in Prism's own words: `code=404`, `example=NoCall`. */
  readonly prefer?: ((request: Request) => string) | undefined;
  /** Instead of the API key that the client has by default. */
  readonly credentials?: Credentials;
  readonly alterRequest?: (request: Request) => void;
  readonly alterResponse?: (response: Response) => Response;
}

export function createSteeredClient(steering: Steering): SteeredClient {
  const { baseUrl, credentials, prefer, alterRequest, alterResponse } = steering;
  const kept: KeptRequest[] = [];
  const steer = async (address: string, init: RequestInit): Promise<Response> => {
    const request = new Request(address, init);
    const text = await request.clone().text();
    const { method, url } = request;
    const headers = new Headers(request.headers);
    alterRequest?.(request);
    if (prefer !== undefined) request.headers.set("Prefer", prefer(request));
    const response = await fetch(request);
    const violations = response.headers.get("sl-violations") ?? "";
    const body: unknown = text === "" ? undefined : JSON.parse(text);
    kept.push({ method, url, headers, body, violations });
    return alterResponse?.(response) ?? response;
  };
  const caller = credentials === undefined ? { apiKey: "key-of-the-mock" } : { credentials };
  // An answer that the mock was asked for is the answer: another try would only repeat it.
  return { client: createClient({ ...caller, baseUrl, fetch: steer, maxRetries: 0 }), kept };
}
