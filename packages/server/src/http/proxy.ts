// Finds the source of a request behind a proxy (D24). X-Forwarded-For and X-Forwarded-Proto count only as far back as
// known proxies wrote them, and the name of a user only with the proxy's secret (D35).
import { hash, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { BlockList, isIP } from "node:net";

/** A proxy on the same machine. */
export const LOOPBACK: readonly string[] = ["127.0.0.0/8", "::1"];

/**
 * The header in which a proxy proves that it wrote the name of a user. Without it, any program at the proxy's address could write the
 * name.
 */
export const PROXY_SECRET_HEADER = "X-Call-Media-Proxy-Secret";

/** How a proxy names the user it has signed in. */
export interface ProxyNaming {
  /** The name of the header that holds the username. */
  readonly userHeader: string;
  /** The value of `PROXY_SECRET_HEADER`. */
  readonly secret: string;
}

export interface Source {
  readonly address: string;
  /** The address as limits count it; undefined behind a proxy that does not name the caller's address. */
  readonly origin: string | undefined;
  /** The username that a known proxy sent together with its secret; undefined without one. */
  readonly namedUser: string | undefined;
  /** True if the proxy says that the caller used plain HTTP, or a scheme that is not known to be secure. */
  readonly isPlain: boolean;
  /** The reason why the caller may be another, or may use plain HTTP, as a sentence for the operator. */
  readonly doubt?: string | undefined;
}

const DOUBTS = {
  stranger:
    "a request did not come from a proxy that is named: what it says of its caller is not believed",
  noAddress: "a proxy sent no X-Forwarded-For that ends in an address: they cannot be told apart",
  noSecret: `a request named a user of the console without ${PROXY_SECRET_HEADER}, or with a wrong one: nobody is signed in by it`,
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
 * Finds the source of requests. `proxies` are addresses and subnets; the headers from any other source are ignored.
 * Without `naming` no proxy names users. Throws `TypeError` for an invalid address or subnet.
 */
export function createSourceFinder(
  proxies: readonly string[],
  naming?: ProxyNaming,
): (request: IncomingMessage) => Source {
  const known = toBlockList(proxies);
  const isKnown = (address: string) => known.check(address, isIP(address) === 6 ? "ipv6" : "ipv4");
  const findUser = createUserFinder(naming);
  return (request) => {
    const { headers, socket } = request;
    const nearest = toPlainAddress(socket.remoteAddress ?? "");
    const direct = {
      address: nearest,
      origin: nearest === "" ? undefined : toPerson(nearest),
      namedUser: undefined,
      isPlain: false,
    };
    if (proxies.length === 0 || nearest === "") return direct;
    if (!isKnown(nearest)) return { ...direct, doubt: DOUBTS.stranger };
    const forwarded = headers["x-forwarded-for"]?.toString().split(",") ?? [];
    const schemes = headers["x-forwarded-proto"]?.toString().split(",") ?? [];
    const { address, proxiesPassed } = findCaller(nearest, forwarded, isKnown);
    const scheme = findScheme(schemes, proxiesPassed) ?? "";
    const isPlain = scheme !== "" && !SECURE_SCHEMES.has(scheme);
    const namedUser = findUser(request);
    const doubt = namedUser === null ? DOUBTS.noSecret : findDoubt(forwarded, schemes);
    const origin = hasAddress(forwarded) ? toPerson(address) : undefined;
    return { address, origin, namedUser: namedUser ?? undefined, isPlain, doubt };
  };
}

/** Finds the username in a request of a known proxy; undefined without one, null if it may be another user's. */
function createUserFinder(naming: ProxyNaming | undefined) {
  if (naming === undefined) return () => undefined;
  const userHeader = naming.userHeader.toLowerCase();
  const secretHeader = PROXY_SECRET_HEADER.toLowerCase();
  const expected = toDigest(naming.secret);
  return ({ headersDistinct }: IncomingMessage): string | null | undefined => {
    // If there is a second one, the caller sent it and the proxy did not remove it.
    const [name = "", otherName] = headersDistinct[userHeader] ?? [];
    if (name === "" && otherName === undefined) return undefined;
    const [secret = "", otherSecret] = headersDistinct[secretHeader] ?? [];
    const isProved = timingSafeEqual(toDigest(secret), expected);
    return isProved && otherName === undefined && otherSecret === undefined ? name : null;
  };
}

// Hashes have equal length, as a comparison in constant time requires.
const toDigest = (secret: string): Buffer => hash("sha256", secret, "buffer");

// Others, such as ws, are not known to be secure.
const SECURE_SCHEMES: ReadonlySet<string> = new Set(["https", "wss"]);

function findDoubt(forwarded: readonly string[], schemes: readonly string[]): string | undefined {
  if (!hasAddress(forwarded)) return DOUBTS.noAddress;
  return (schemes.at(-1)?.trim() ?? "") === "" ? DOUBTS.noScheme : undefined;
}

const hasAddress = (forwarded: readonly string[]): boolean =>
  isIP(toPlainAddress(forwarded.at(-1)?.trim() ?? "")) !== 0;

// Each proxy appends the address that it saw. From the right, the first address that is not a proxy is the caller;
// everything before it is hearsay. Text that is not an address hides the ones before it.
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

/**
 * The address in a single notation; IPv6 as in RFC 5952. An IPv4 caller of an IPv6 socket is written ::ffff:192.0.2.1 (RFC 4291,
 * section 2.5.5.2); the result is 192.0.2.1. Text that is not an address is returned unchanged.
 */
export function toPlainAddress(address: string): string {
  if (isIP(address) !== 6) return address;
  const groups = toGroups(address);
  const [high = 0, low = 0] = groups.slice(6);
  if (!groups.slice(0, 6).every((group, place) => group === (place === 5 ? 0xffff : 0))) {
    const [bare = "", zone] = address.split("%");
    return zone === undefined ? toNotation(bare) : `${toNotation(bare)}%${zone}`;
  }
  return [high >> 8, high & 0xff, low >> 8, low & 0xff].join(".");
}

/**
 * The address as every limit counts it. For IPv6 it is the network of 64 bits: a single subscriber has at least one, with any
 * number of addresses (RFC 6177).
 */
export function toPerson(address: string): string {
  const plain = toPlainAddress(address);
  if (isIP(plain) !== 6) return plain;
  const network = toGroups(plain).slice(0, 4);
  return `${toNotation(`${network.map((group) => group.toString(16)).join(":")}::`)}/64`;
}

// The URL standard writes IPv6 as RFC 5952 does.
const toNotation = (address: string): string =>
  new URL(`http://[${address}]`).hostname.slice(1, -1);

// The eight numbers of an IPv6 address in any of its notations (RFC 4291, section 2.2).
function toGroups(address: string): readonly number[] {
  const [bare = ""] = address.split("%");
  const [before = "", after = ""] = toNotation(bare).split("::");
  const [head, tail] = [before, after].map((part) => (part === "" ? [] : part.split(":")));
  const zeros = Array.from({ length: 8 - (head?.length ?? 0) - (tail?.length ?? 0) }, () => "0");
  return [...(head ?? []), ...zeros, ...(tail ?? [])].map((group) => Number.parseInt(group, 16));
}

function toBlockList(subnets: readonly string[]): BlockList {
  const list = new BlockList();
  for (const subnet of subnets) {
    if (!isSubnet(subnet)) throw new TypeError(`${subnet} is neither an address nor a subnet`);
    const [address = "", prefix] = subnet.split("/");
    const family = isIP(address) === 6 ? "ipv6" : "ipv4";
    if (prefix === undefined) {
      const plain = toPlainAddress(address);
      list.addAddress(plain, isIP(plain) === 6 ? "ipv6" : "ipv4");
    } else list.addSubnet(address, Number(prefix), family);
  }
  return list;
}
