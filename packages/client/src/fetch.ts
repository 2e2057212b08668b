// How requests are sent, for programs that replace it.

/** Sends a request as the built-in `fetch` does. It must honour `redirect` and `signal`. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;
