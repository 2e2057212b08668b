// The schemas of `allOf`, `anyOf` and `oneOf`: pairs the members of two lists, because their order means nothing.
import type { Place } from "./json.ts";
import { type Pair, pairUp } from "./pairs.ts";
import { isSame } from "./same.ts";

export const LISTS_OF_MEMBERS = ["allOf", "anyOf", "oneOf"] as const;

/** The keywords of a choice. */
export const CHOICES = ["anyOf", "oneOf"] as const;

/** Pairs equal members first, then members with the same reference or title, then the rest. */
const FITS: readonly ((before: Place, after: Place) => boolean)[] = [
  isSame,
  (before, after) => before.pointer === after.pointer && before.pointer !== before.usedAt,
  ({ node: before }, { node: after }) =>
    before["title"] !== undefined && before["title"] === after["title"],
  () => true,
];

/** Pairs two lists of members, or of items with the place of a member. */
export const pairMembers = <Member>(
  olds: readonly Member[],
  nows: readonly Member[],
  placeOf: (member: Member) => Place,
): Pair<Member>[] =>
  pairUp(
    olds,
    nows,
    ...FITS.map((fit) => (before: Member, after: Member) => fit(placeOf(before), placeOf(after))),
  );

/** Its title, the component that it refers to, or else its JSON. */
export function nameMember({ node, pointer, usedAt }: Place): string {
  if (typeof node["title"] === "string") return node["title"];
  return pointer === usedAt ? JSON.stringify(node) : (pointer.split("/").at(-1) ?? pointer);
}
