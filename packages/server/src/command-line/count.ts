// Numbers of things, for people.

/** `what` in the singular: "1 call", "2,000 calls". */
export function toCount(n: number, what: string): string {
  return `${n.toLocaleString("en")} ${what}${n === 1 ? "" : "s"}`;
}
