// Finds the source of a request behind a proxy (D24): X-Forwarded-For and X-Forwarded-Proto count only as far back as
// known proxies wrote them.
import type { IncomingMessage } from "node:http";
import { BlockList, isIP } from "node:net";

/** A proxy on the same machine. */
export const LOOPBACK: readonly string[] = ["127.0.0.0/8", "::1"];

export interface Source {
  readonly address: string;
  /** The address, to hold something against it; undefined behind a proxy that does not say whose it is. */
  readonly origin: string | undefined;
  /** True if a known proxy sent it, whose statements about its caller are believed. */
  readonly isProxied: boolean;
  /** True if the proxy says that the caller used plain HTTP. */
  readonly isPlain: boolean;
  /** Why the caller may be another, or come over plain HTTP, as a sentence for the operator. */
  readonly doubt?: string | undefined;
}

const DOUBTS = {
  stranger:
    "a request did not come from a proxy that is named: what it says of its caller is not believed",
  noAddress: "a proxy sent no X-Forwarded-For that ends in an address: they cannot be told apart",
  noScheme: "a proxy sent no X-Forwarded-Proto: callers over plain HTTP are not refused",
} as const;

/** True if the text is an address or a subnet, for example `10.0.0.1` or `fd00::/8`. */
export function isSubnet(text: string): boolean {
  const [address = "", prefix, ...rest] = text.split("/");
  const bits = isIP(address) === 6 ? 128 : 32;
  const isPrefix = prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= bits);
  return isIP(address) !== 0 && isPrefix && rest.length === 0;
}

/**
 * Tells where requests come from. `proxies` are addresses and subnets; from anywhere else the headers are not looked at.
 * Throws `TypeError` for what is neither.
 */
export function createSourceFinder(
  proxies: readonly string[],
): (request: IncomingMessage) => Source {
  const known = toBlockList(proxies);
  const isKnown = (address: string) => known.check(address, isIP(address) === 6 ? "ipv6" : "ipv4");
  return ({ headers, socket }) => {
    const nearest = toPlainAddress(socket.remoteAddress ?? "");
    const direct = {
      address: nearest,
      origin: nearest || undefined,
      isProxied: false,
      isPlain: false,
    };
    if (proxies.length === 0 || nearest === "") return direct;
    if (!isKnown(nearest)) return { ...direct, doubt: DOUBTS.stranger };
    const forwarded = headers["x-forwarded-for"]?.toString().split(",") ?? [];
    const schemes = headers["x-forwarded-proto"]?.toString().split(",") ?? [];
    const { address, proxiesPassed } = findCaller(nearest, forwarded, isKnown);
    const isPlain = findScheme(schemes, proxiesPassed) === "http";
    const doubt = findDoubt(forwarded, schemes);
    const origin = doubt === DOUBTS.noAddress ? undefined : address;
    return { address, origin, isProxied: true, isPlain, doubt };
  };
}

function findDoubt(forwarded: readonly string[], schemes: readonly string[]): string | undefined {
  if (isIP(toPlainAddress(forwarded.at(-1)?.trim() ?? "")) === 0) return DOUBTS.noAddress;
  return (schemes.at(-1)?.trim() ?? "") === "" ? DOUBTS.noScheme : undefined;
}

// Each proxy appends the address that it saw. From the right, the first address that is not a proxy is the caller;
// everything before it is hearsay. Behind a text that is not an address nothing is known.
function findCaller(
  nearest: string,
  forwarded: readonly string[],
  isKnown: (address: string) => boolean,
): { readonly address: string; readonly proxiesPassed: number } {
  let [address, proxiesPassed] = [nearest, 0];
  for (const entry of forwarded.toReversed()) {
    const seen = toPlainAddress(entry.trim());
    proxiesPassed += 1;
    if (isIP(seen) === 0) break;
    address = seen;
    if (!isKnown(seen)) break;
  }
  return { address, proxiesPassed: Math.max(1, proxiesPassed) };
}

// If proxies append to the list, the one that the caller reached wrote at the same distance from the right as in
// X-Forwarded-For. So "https, http" is a caller's HTTPS and plain HTTP between two proxies, or a caller's claim and the
// word of the one proxy. Proxies that write one value instead of the list mean the caller's. The service cannot detect
// a nearest proxy that wrote its own, as the README says.
function findScheme(schemes: readonly string[], proxiesPassed: number): string | undefined {
  return (schemes.at(-proxiesPassed) ?? schemes[0])?.trim().toLowerCase();
}

/** An IPv4 caller of an IPv6 socket is written ::ffff:192.0.2.1 (RFC 4291, section 2.5.5.2); here it is 192.0.2.1. */
export function toPlainAddress(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  return mapped ?? address;
}

function toBlockList(subnets: readonly string[]): BlockList {
  const list = new BlockList();
  for (const subnet of subnets) {
    if (!isSubnet(subnet)) throw new TypeError(`${subnet} is neither an address nor a subnet`);
    const [address = "", prefix] = subnet.split("/");
    const family = isIP(address) === 6 ? "ipv6" : "ipv4";
    if (prefix === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(prefix), family);
  }
  return list;
}
