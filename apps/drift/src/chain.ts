// Combines several conforming variants into one service, each a proxy before the one below.
import type { Demo } from "./demo.ts";
import { type Proxy, startProxy } from "./proxy.ts";
import type { Variant } from "./variants/variant.ts";

/**
 * A variant must read from below what our own service would return. So variants that replace the search are at the bottom;
 * variants that renumber pages or reject requests of others are at the top.
 */
const FROM_BOTTOM_TO_TOP = [
  "D06",
  "D08",
  "D09",
  "D10",
  "D02",
  "D03",
  "D05",
  "D27",
  "D16",
  "D18",
  "D11",
  "D15",
  "D21",
  "D07",
  "D14",
  "D12",
  "D13",
  "D23",
  "D30",
];

const heightOf = ({ decision }: Variant) => FROM_BOTTOM_TO_TOP.indexOf(decision);

/** Groups variants into as few chains as possible. A chain contains each decision at most once, and is ordered from bottom to top. */
export function toChains(variants: readonly Variant[]): Variant[][] {
  const chains: Variant[][] = [];
  for (const variant of variants) {
    const chain = chains.find((others) => others.every((other) => goTogether(other, variant)));
    if (chain === undefined) chains.push([variant]);
    else chain.push(variant);
  }
  return chains.map((chain) => chain.toSorted((one, other) => heightOf(one) - heightOf(other)));
}

function goTogether(one: Variant, other: Variant): boolean {
  return !one.standsAlone && !other.standsAlone && one.decision !== other.decision;
}

export interface Chain extends AsyncDisposable {
  readonly baseUrl: string;
  /** Ids of the variants that have not changed a response yet. */
  readonly unreached: () => string[];
}

export async function startChain(demo: Demo, variants: readonly Variant[]): Promise<Chain> {
  await using stack = new AsyncDisposableStack();
  const { apiKey: adminKey, expiredToken } = demo.access;
  let { baseUrl } = stack.use(await demo.startService());
  const proxies = new Map<string, Proxy>();
  for (const { id, operation, mutate } of variants) {
    const options = { operation, mutate, service: baseUrl, adminKey, expiredToken };
    const proxy = stack.use(await startProxy(options));
    proxies.set(id, proxy);
    ({ baseUrl } = proxy);
  }
  const owned = stack.move();
  return {
    baseUrl,
    unreached: () => [...proxies].filter(([, proxy]) => proxy.changed() === 0).map(([id]) => id),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}
