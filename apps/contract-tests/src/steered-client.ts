// A client that records its requests to the mock and can select one of the document's example responses.
import { type CallMediaClient, type Credentials, createClient } from "@call-media/client";

/** A request as the client sent it, with the violations that Prism found. */
export interface KeptRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Headers;
  /** The JSON body; undefined if there was none. */
  readonly body: unknown;
  /** The text of `sl-violations`; empty if Prism found no violation. */
  readonly violations: string;
}

export interface SteeredClient {
  readonly client: CallMediaClient;
  readonly kept: readonly KeptRequest[];
}

export interface Steering {
  readonly baseUrl: string;
  /** The response that the mock should return, in Prism's syntax: `code=404`, `example=NoCall`. */
  readonly prefer?: ((request: Request) => string) | undefined;
  /** Replaces the client's default API key. */
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
  // No retries: the mock would only repeat the selected response.
  return { client: createClient({ ...caller, baseUrl, fetch: steer, maxRetries: 0 }), kept };
}
