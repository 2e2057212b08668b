// Names below `localhost` mean this machine (RFC 6761, 6.3). Secrets are sent to them over plain HTTP, so Node.js must not ask DNS, which
// may resolve them to another machine.

/**
 * True if the host of a URL is a name below `localhost`.
 *
 * @example
 * ```ts
 * isBelowLocalhost("http://archive.localhost:8080"); // true
 * ```
 */
export function isBelowLocalhost(url: string): boolean {
  return /\.localhost\.?$/i.test(new URL(url).hostname);
}

const LOOPBACK = [
  { address: "127.0.0.1", family: 4 },
  { address: "::1", family: 6 },
] as const;

type Found = (
  error: null,
  address: string | { address: string; family: number }[],
  family?: number,
) => void;

/**
 * Resolves every name to this machine. For the option `lookup` of node:net, node:http and others.
 *
 * @example
 * ```ts
 * if (isBelowLocalhost(url)) request(url, { lookup: lookupLoopback });
 * ```
 */
export function lookupLoopback(
  _name: string,
  options: { readonly all?: boolean | undefined },
  found: Found,
): void {
  // node:net expects the result asynchronously, like that of DNS.
  queueMicrotask(() => {
    if (options.all) found(null, [...LOOPBACK]);
    else found(null, LOOPBACK[0].address, LOOPBACK[0].family);
  });
}
