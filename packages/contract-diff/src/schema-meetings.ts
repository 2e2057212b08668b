// Walks two schemas together, as they apply at their place of use: requests have no read-only fields.
import { flattenUnlike } from "./flat-schema.ts";
import type { JsonObject, Place } from "./json.ts";
import { unwrapUnlike } from "./lone-member.ts";
import { toCurrent } from "./notation.ts";
import { findOthersFields, withoutFields } from "./others-fields.ts";
import { LISTS_OF_MEMBERS, pairMembers } from "./members.ts";
import { bothOf, mapPair, type Pair } from "./pairs.ts";
import type { Meeting, PartKind, Role } from "./parts.ts";
import { inside, list, pairInside } from "./places.ts";
import { hasNoItems } from "./rules/listed-values.ts";
import { isNever } from "./rules/never.ts";
import { isOneByOne } from "./rules/unjudged.ts";
import { joinTypeChoices } from "./type-choices.ts";

/** A schema, and those of its fields that only the other side writes, according to the schemas it is a member of. */
interface Step {
  readonly place: Place;
  readonly othersFields: readonly string[];
}

/** Two schemas to compare, and their enclosing part. */
interface Task {
  readonly steps: Pair<Step>;
  readonly role: Role;
  readonly owner: Meeting;
  readonly isOthers?: boolean;
}

export class SchemaMeetings {
  readonly #known = new Map<string, Meeting>();

  /**
   * The schemas and everything in them, breadth first. A pair of schemas is visited once per direction and kind of place: its findings are
   * the same elsewhere.
   */
  *find(schemas: Pair<Place>, role: Role, owner: Meeting): Generator<Meeting> {
    const tasks: Task[] = [{ steps: toSteps(schemas), role, owner }];
    // The list grows during the loop.
    for (const task of tasks) {
      const both = bothOf(task.steps);
      if (both === undefined) {
        const parts = mapPair(task.steps, ({ place }) => ({ ...place, ...task.role }));
        const { isOthers = false } = task;
        if (parts.before ?? parts.after) yield { ...parts, owners: [task.owner], isOthers };
        continue;
      }
      const key = toKey(both, task.role);
      const known = this.#known.get(key);
      known?.owners.push(task.owner);
      if (known !== undefined) continue;
      const [before, after] = settle(both, task.role);
      const meeting = {
        before: { ...before.place, ...task.role },
        after: { ...after.place, ...task.role },
        owners: [task.owner],
      };
      this.#known.set(key, meeting);
      yield meeting;
      if (isNever(before.place.node) || isNever(after.place.node)) continue;
      for (const inner of findInner(before, after, task.role))
        tasks.push({ ...inner, owner: meeting });
    }
  }
}

const toSteps = (places: Pair<Place>, othersFields: readonly string[] = []): Pair<Step> =>
  mapPair(places, (place) => ({ place, othersFields }));

function toKey(steps: readonly Step[], { kind, direction, form }: Role): string {
  const ids = steps.flatMap(({ place, othersFields }) => [
    place.pointer,
    place.isJoined === true ? JSON.stringify(place.node) : "",
    ...othersFields,
  ]);
  return [kind, direction, form, ...ids].join("\n");
}

/** Both schemas in a comparable form, without differences that are only notation. */
function settle(
  [before, after]: readonly [Step, Step],
  { direction }: Role,
): readonly [Step, Step] {
  const unlike = unwrapUnlike(toCurrent(before.place), toCurrent(after.place));
  const [old, now] = flattenUnlike(...unlike).map((place) => joinTypeChoices(toCurrent(place)));
  const toStep = (written: Place, { othersFields: given }: Step): Step => {
    const othersFields = [...new Set([...given, ...findOthersFields(written, direction)])];
    return { place: withoutFields(written, othersFields), othersFields };
  };
  return [toStep(old ?? before.place, before), toStep(now ?? after.place, after)];
}

type Inner = Omit<Task, "owner">;

function* findInner(before: Step, after: Step, role: Role): Generator<Inner> {
  const places = { before: before.place, after: after.place };
  const toInner = (kind: PartKind, step: string, inner: Pair<Place>): Inner => ({
    steps: toSteps(inner),
    role: { ...role, kind, name: `${role.name}${step}` },
  });
  for (const [field, inner] of pairInside(places, "properties")) {
    const isOthers = [before, after].some(({ othersFields }) => othersFields.includes(field));
    yield { ...toInner("field", toFieldStep(field), inner), isOthers };
  }
  const { node: old } = before.place;
  const { node: now } = after.place;
  for (const [pattern, inner] of pairInside(places, "patternProperties"))
    if (bothOf(inner) ?? isOneByOne("patternProperties", old, now))
      yield toInner("schema", `[${pattern}]`, inner);
  for (const [at, inner] of pairLists(places, "prefixItems").entries())
    if (bothOf(inner) ?? isOneByOne("prefixItems", old, now))
      yield toInner("schema", `[${at}]`, inner);
  const content = mapPair(places, (place) => insideIfBinding(place, "contentSchema"));
  yield toInner("schema", " content", content);
  const items = mapPair(places, (place) => insideIfBinding(place, "items"));
  if (!isMootIn(items, places, hasNoItems)) yield toInner("schema", "[]", items);
  // A separate rule reports that other fields are not allowed.
  const others = mapPair(places, (place) =>
    isClosed(place.node) ? undefined : insideIfBinding(place, "additionalProperties"),
  );
  if (!isMootIn(others, places, isClosed)) yield toInner("schema", ".*", others);
  yield* findMembers(before, after, role);
}

const isClosed = (schema: JsonObject): boolean => schema["additionalProperties"] === false;

/** Pairs the schemas of two lists by index. */
function pairLists(places: Pair<Place>, key: string): Pair<Place>[] {
  const { before = [], after = [] } = mapPair(places, (place) => list(place, key));
  return Array.from({ length: Math.max(before.length, after.length) }, (_, at) => ({
    before: before[at],
    after: after[at],
  }));
}

/** An empty schema has no effect, like a missing one. */
function insideIfBinding(place: Place, key: string): Place | undefined {
  const found = inside(place, key);
  return found && Object.keys(found.node).length > 0 ? found : undefined;
}

/** True if only one schema has a part because the other makes that part irrelevant. */
function isMootIn(
  inner: Pair<Place>,
  schemas: Pair<Place>,
  isMoot: (schema: JsonObject) => boolean,
): boolean {
  const { before, after } = mapPair(schemas, ({ node }) => isMoot(node));
  return inner.before === undefined ? before === true : inner.after === undefined && after === true;
}

/** The order of members means nothing. */
function* findMembers(before: Step, after: Step, outer: Role): Generator<Inner> {
  for (const keyword of LISTS_OF_MEMBERS) {
    const [olds, nows] = [before, after].map(({ place, othersFields }) =>
      list(place, keyword).map((member) => ({ place: member, othersFields })),
    );
    const pairs = pairMembers<Step>(olds ?? [], nows ?? [], ({ place }) => place);
    for (const [at, steps] of pairs.entries()) {
      const role = { ...outer, kind: "member", name: `${outer.name} ${keyword} ${at}` } as const;
      // The rule of the list reports added and removed members.
      if (bothOf(steps)) yield { steps, role };
    }
  }
}

/** Quotes a field name that would look like more than one step. */
const toFieldStep = (name: string): string =>
  /[.*[\]" ]|^$/.test(name) ? `[${JSON.stringify(name)}]` : `.${name}`;
