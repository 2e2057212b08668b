// What must be true of an archive after each step of its life, kept beside it: see life.ts.
import type { Held, State } from "./life-steps.ts";

const FOR_EVER = Infinity;

export const toKey = ({ id, leg }: Pick<State, "id" | "leg">): string => `${id}/${leg}`;

export const toText = (state: State): string => JSON.stringify(toPlain(state));

const toPlain = ({ leg, campaign, sound, ending }: State) => [leg, campaign, sound, ending];

interface Hold extends Held {
  /** Tells it from others of its name. */
  readonly number: number;
  /** The ids of calls that it keeps whatever they become. */
  readonly pins: ReadonlySet<string>;
}

/** Owed by its name, or by the mark of the ledger alone. */
type Owed = "name" | "mark";

/** What a backup has. */
export interface Copy {
  readonly calls: ReadonlyMap<string, State>;
  readonly seen: ReadonlyMap<string, readonly State[]>;
  readonly holds: ReadonlyMap<string, number>;
  readonly owed: ReadonlySet<string>;
}

export class LifeModel {
  calls = new Map<string, State>();
  /** All states of the legs that are there, in their order. */
  seen = new Map<string, readonly State[]>();
  holds = new Map<string, Hold>();
  owed = new Map<string, Owed>();
  /** The last day of which an erased call stays out. */
  readonly #erased = new Map<string, number>();
  readonly #keep = new Map<string, number>();
  #added = 0;
  today = 100;

  legsOf(id: string): readonly State[] {
    return [...this.calls.values()].filter((one) => one.id === id);
  }

  isThere(id: string): boolean {
    return this.legsOf(id).length > 0;
  }

  isErased({ id, day }: State): boolean {
    return day <= (this.#erased.get(id) ?? -FOR_EVER);
  }

  isHeldBy({ campaign, ids, pins }: Hold, id: string): boolean {
    const isFitting = this.legsOf(id).some((one) => one.campaign === campaign);
    return isFitting || ids.includes(id) || pins.has(id);
  }

  isHeld(id: string): boolean {
    return [...this.holds.values()].some((hold) => this.isHeldBy(hold, id));
  }

  /** A leg stays at its moment, and a row may not leave it without its sound (D32). */
  toGiven({ ago, ...given }: Omit<State, "day"> & { readonly ago: number }): State {
    const known = this.calls.get(toKey(given));
    const { id, leg, campaign, ending } = given;
    const sound = given.sound ?? known?.sound ?? null;
    return { id, leg, day: known?.day ?? this.today - ago, campaign, sound, ending };
  }

  import(given: State, restores: boolean): string {
    if (this.isErased(given) && !restores) return "erased";
    if (this.isErased(given)) this.#erased.delete(given.id);
    const key = toKey(given);
    const before = this.calls.get(key);
    if (before !== undefined && toText(before) === toText(given)) return "unchanged";
    if (before !== undefined) this.#pin((hold) => (fits(hold, before) ? [given.id] : []));
    this.calls.set(key, given);
    this.seen.set(key, [...(this.seen.get(key) ?? []), given]);
    return before === undefined ? "imported" : "replaced";
  }

  #pin(listIds: (hold: Hold) => Iterable<string>): void {
    for (const [name, hold] of this.holds)
      this.holds.set(name, { ...hold, pins: new Set([...hold.pins, ...listIds(hold)]) });
  }

  /** The ids of the calls that fitted once. */
  #listPast(held: Held): readonly string[] {
    return [...this.seen.values()]
      .flatMap((states) => states.slice(0, -1))
      .flatMap((state) => (fits(held, state) ? [state.id] : []));
  }

  hold(name: string, held: Held): boolean {
    if (this.holds.has(name)) return false;
    const number = (this.#added += 1);
    this.holds.set(name, { ...held, number, pins: new Set(this.#listPast(held)) });
    return true;
  }

  /** Returns the ids of those that are there and held. */
  purge(ids: readonly string[]): readonly string[] {
    const there = ids.filter((id) => this.isThere(id));
    const held = there.filter((id) => this.isHeld(id));
    for (const id of held) this.owed.set(id, "name");
    for (const id of there) if (!held.includes(id)) this.#erase(id, FOR_EVER);
    return held;
  }

  setKeep(campaign: string, days: number): void {
    this.#keep.set(campaign, days);
  }

  /** As the policy of the archive has it. */
  listRules() {
    const toRule = ([campaign, days]: [string, number]) => ({
      name: campaign,
      where: { campaign: [campaign] },
      keep: `${days} days`,
    });
    const otherwise = this.#keep.get("");
    return {
      retention: 1,
      ...(otherwise !== undefined && { otherwise: { keep: `${otherwise} days` } }),
      rules: [...this.#keep].filter(([campaign]) => campaign !== "").map(toRule),
    };
  }

  /** The ids of the calls that are due, held or not. */
  listDue(): readonly string[] {
    const ids = new Set([...this.calls.values()].map(({ id }) => id));
    return [...ids].filter((id) => {
      const legs = this.legsOf(id);
      const days = legs.flatMap(({ campaign }) => this.#keep.get(campaign) ?? []);
      const keep = days.length > 0 ? Math.max(...days) : (this.#keep.get("") ?? FOR_EVER);
      return Math.max(...legs.map(({ day }) => day)) < this.today - keep;
    });
  }

  /** Due calls stay out up to the day after their last. */
  eraseDue(ids: readonly string[]): void {
    for (const id of ids) this.#erase(id, Math.max(...this.legsOf(id).map(({ day }) => day)) + 1);
  }

  /** What is owed and not held goes; what is not there leaves its mark, unless a hold may wait for it. */
  eraseOwed(): void {
    for (const [id, owed] of this.owed) {
      if (this.isThere(id) && this.isHeld(id)) this.owed.set(id, "name");
      else if (this.isThere(id)) this.#erase(id, FOR_EVER);
      else if (owed === "mark" ? this.holds.size === 0 : !this.#isAwaited(id))
        this.#erase(id, FOR_EVER);
    }
  }

  #isAwaited(id: string): boolean {
    return [...this.holds.values()].some(({ ids, pins }) => ids.includes(id) || pins.has(id));
  }

  /** What is owed stays out for ever, whatever takes it. */
  #erase(id: string, given: number): void {
    const until = this.owed.has(id) ? FOR_EVER : given;
    for (const { leg } of this.legsOf(id)) this.#remove(toKey({ id, leg }));
    this.#erased.set(id, Math.max(until, this.#erased.get(id) ?? -FOR_EVER));
    if (until === FOR_EVER) this.owed.delete(id);
  }

  #remove(key: string): void {
    this.calls.delete(key);
    this.seen.delete(key);
  }

  copy(): Copy {
    return {
      calls: new Map(this.calls),
      seen: new Map(this.seen),
      holds: new Map([...this.holds].map(([name, { number }]) => [name, number])),
      owed: new Set([...this.owed].flatMap(([id, owed]) => (owed === "name" ? [id] : []))),
    };
  }

  /** What a restore of the copy has: the legs that were not erased since. */
  listKept({ calls }: Copy): readonly State[] {
    return [...calls.values()].filter((state) => !this.isErased(state));
  }

  restore(copy: Copy): void {
    const before = { ...copy, past: new LifeModel() };
    before.past.seen = new Map(copy.seen);
    for (const [name, hold] of this.holds) {
      const past = copy.holds.get(name) === hold.number ? [] : before.past.#listPast(hold);
      this.holds.set(name, { ...hold, pins: new Set([...hold.pins, ...past]) });
    }
    const kept = this.listKept(copy);
    this.calls = new Map(kept.map((state) => [toKey(state), state]));
    this.seen = new Map(kept.map((state) => [toKey(state), copy.seen.get(toKey(state)) ?? []]));
    for (const id of this.owed.keys()) this.owed.set(id, copy.owed.has(id) ? "name" : "mark");
  }

  /** The sounds that a state names. */
  listSounds(states: Iterable<State> = [...this.seen.values()].flat()): ReadonlySet<string> {
    return new Set([...states].flatMap(({ sound }) => sound ?? []));
  }
}

const fits = ({ campaign }: Held, state: State): boolean => state.campaign === campaign;
