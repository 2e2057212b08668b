// A record's whole life against a model: imported, corrected, held, released, purged, due by a policy, backed up, restored, and killed in
// between. Ten invariants hold after each step; their numbers are in the messages.
import { dirname } from "node:path";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { CallItem, CallStore, DueCalls, ErasureFilter } from "../index.ts";
import { createRetention, parsePolicy } from "../values/retention.ts";
import { expectWell } from "./holding.ts";
import { type Copy, LifeModel, toKey, toText } from "./life-model.ts";
import { type Held, IDS, type State, type Step, STEP } from "./life-steps.ts";
import { addRecording, call } from "./records.ts";
import { close, type CreateStore, type Extent, KEEP_DAYS } from "./stores.ts";

/** An adapter with backups starts processes, and copies archives. */
const RUNS = { few: 12, withBackups: 36, many: 96 };
const MAX_STEPS = 24;

export function describeLife(create: CreateStore, extent: Extent): void {
  test("ten invariants hold, whatever happens to an archive", async () => {
    const steps = fc.array(STEP, { minLength: 4, maxLength: MAX_STEPS, size: "max" });
    await fc.assert(
      fc.asyncProperty(steps, async (some) => {
        const world = new World(await create(), extent.life);
        for (const one of some) await world.take(one);
        const store = await world.end();
        await expectWell(store);
        await close(store);
      }),
      { numRuns: toNumber(extent) },
    );
  });
}

function toNumber({ hasFewRuns = false, isSlow = false, life }: Extent): number {
  if (hasFewRuns || isSlow) return RUNS.few;
  return life === undefined ? RUNS.many : RUNS.withBackups;
}

const FIRST_DAY_MS = Date.UTC(2025, 0, 1);
const DAY_MS = 86_400_000;

const toDay = (day: number) => new Date(FIRST_DAY_MS + day * DAY_MS).toISOString().slice(0, 10);

const toMoment = ({ day, ending }: State) => `${toDay(day)}T10:00:00${ending}`;

const toContent = (sound: string) => `sound of ${sound}`;

const BY = { operator: "olive" };

function expectThat(what: string, found: unknown, expected: unknown): void {
  expect(found, what).toEqual(expected);
}

async function expectRefusal(work: Promise<unknown>, why: string): Promise<void> {
  await expect(work).rejects.toThrow(why);
}

interface Backup {
  readonly place: string;
  readonly copy: Copy;
  readonly day: number;
}

class World {
  readonly #model = new LifeModel();
  #store: CallStore;
  readonly #life: Extent["life"];
  #backups: readonly Backup[] = [];
  /** By their names, as the media store names them. */
  readonly #digests = new Map<string, string>();

  constructor(store: CallStore, life: Extent["life"]) {
    this.#store = store;
    this.#life = life;
  }

  async take(step: Step): Promise<void> {
    await this.#do(step);
    await this.#check(step.kind);
  }

  async end(): Promise<CallStore> {
    await this.#checkHolds();
    await this.#checkOwed();
    await this.#checkStates();
    return this.#store;
  }

  async #do(step: Step): Promise<void> {
    const model = this.#model;
    const { maintenance } = this.#store;
    if (step.kind === "import") await this.#import(model.toGiven(step), step.restores);
    else if (step.kind === "hold") await this.#hold(step.name, step.held);
    else if (step.kind === "release") {
      const isKnown = model.holds.delete(step.name);
      expectThat(
        "a hold is known",
        (await maintenance.holds.release(step.name)) !== undefined,
        isKnown,
      );
    } else if (step.kind === "purge") {
      const held = model.purge(step.ids);
      const report = await maintenance.erase({ callIds: step.ids }, BY);
      expectThat("2: what is held", report.held?.calls ?? 0, held.length);
    } else if (step.kind === "policy") model.setKeep(step.campaign, step.days);
    else if (step.kind === "day") await this.#wait(step.days);
    else if (step.kind === "apply") await this.#apply(step.isCut);
    else if (step.kind === "backup") await this.#backUp();
    else if (step.kind === "restore") await this.#restore(step.index);
    else await this.#kill(step.ids);
  }

  async #import(given: State, restores: boolean): Promise<void> {
    const item = await this.#toItem(given);
    const expected = this.#model.import(given, restores);
    {
      await using session = await this.#store.openImport({ restoresErased: restores });
      const again = expected === "erased" ? "erased" : "unchanged";
      expectThat("7: just what was erased", await session.write([[item]]), [expected]);
      expectThat("9: the same row again", await session.write([[item]]), [again]);
    }
    if (expected === "erased") await this.#store.maintenance.discard(this.#digests.keys());
  }

  async #toItem(state: State): Promise<CallItem> {
    const { id, leg, campaign, sound } = state;
    const recordings =
      sound === null
        ? []
        : [
            await addRecording(this.#store, {
              filename: `said.${sound}`,
              content: toContent(sound),
            }),
          ];
    for (const { media } of recordings) this.#digests.set(media.sha256, String(sound));
    const record = { call_id: id, datetime: toMoment(state), campaign };
    return call(record, { identity: [leg], recordings });
  }

  async #hold(name: string, { campaign, ids }: Held): Promise<void> {
    const holds = campaign === undefined ? { callIds: ids } : { where: { campaign: [campaign] } };
    const given = { name, reason: "r", holds };
    const by = { ...BY, operation: "hold add" as const };
    if (this.#model.hold(name, { campaign, ids }))
      await this.#store.maintenance.holds.add(given, by);
    else await expectRefusal(this.#store.maintenance.holds.add(given, by), "already");
  }

  #toDue(only?: string): ErasureFilter | undefined {
    const rules = this.#model.listRules();
    if (rules.rules.length === 0 && !("otherwise" in rules)) return undefined;
    const day = toDay(this.#model.today);
    const policy = parsePolicy(JSON.stringify(rules));
    const { findRule, ...ends } = createRetention(policy, { day, timeZone: "UTC" });
    const isDue: DueCalls["isDue"] = (records) =>
      (only === undefined || records[0]?.record.call_id === only) &&
      findRule(records) !== undefined;
    return { due: { ...ends, day, isDue } };
  }

  /** Cut off after the first call, or whole. */
  async #apply(isCut: boolean): Promise<void> {
    const model = this.#model;
    const { maintenance } = this.#store;
    const due = model.listDue().filter((id) => !model.isHeld(id));
    const taken = isCut ? due.slice(0, 1) : due;
    const filter = this.#toDue(isCut ? (taken[0] ?? "none") : undefined);
    if (filter !== undefined) {
      const legs = taken.flatMap((id) => model.legsOf(id)).length;
      expectThat("10: what is planned", (await maintenance.planErasure(filter)).calls, legs);
      expectThat("10: what goes", (await maintenance.erase(filter, BY)).calls, legs);
    }
    model.eraseDue(taken);
    if (isCut) return;
    await maintenance.erase({ isOwed: true }, BY);
    model.eraseOwed();
    if (filter !== undefined)
      expectThat("3: nothing is due", (await maintenance.planErasure(filter)).calls, 0);
    expectThat("8: nothing is owed", (await maintenance.planErasure({ isOwed: true })).calls, 0);
  }

  async #wait(days: number): Promise<void> {
    this.#model.today += days;
    await this.#life?.generations?.age(this.#store, days);
  }

  async #backUp(): Promise<void> {
    if (this.#life === undefined) return;
    const { generations, backUp } = this.#life;
    const { today } = this.#model;
    const place = await backUp(this.#store);
    const isBeside = (one: Backup) => dirname(one.place) === dirname(place);
    const isKept = (one: Backup) =>
      generations === undefined || !isBeside(one) || today - one.day < KEEP_DAYS;
    const made = { place, copy: this.#model.copy(), day: today };
    this.#backups = [...this.#backups.filter(isKept), made];
    const left = this.#backups.filter(isBeside).map((one) => one.place);
    expectThat("6: the backups", generations?.list(this.#store) ?? left, left);
    const there = await this.#life.listSounds(place);
    const kept = this.#backups.filter(isBeside).flatMap(({ copy }) => this.#listKeptStates(copy));
    const named = new Set([...this.#model.listSounds(), ...this.#model.listSounds(kept)]);
    const found = new Set([...there].map((sha256) => this.#digests.get(sha256) ?? sha256));
    expectThat("6: the sounds of a backup", found, named);
  }

  #listKeptStates(copy: Copy): readonly State[] {
    return this.#model.listKept(copy).flatMap((state) => copy.seen.get(toKey(state)) ?? []);
  }

  async #restore(index: number): Promise<void> {
    const found = this.#backups[index % Math.max(this.#backups.length, 1)];
    if (this.#life === undefined || found === undefined) return;
    this.#store = await this.#life.restore(this.#store, found.place);
    this.#model.restore(found.copy);
    await this.#checkHolds();
    await this.#checkStates();
  }

  /** The first entry of the ledger says what is owed, or else what is erased. */
  async #kill(ids: readonly string[]): Promise<void> {
    if (this.#life === undefined) return;
    const model = this.#model;
    const there = ids.filter((id) => model.isThere(id));
    const owed = there.filter((id) => model.isHeld(id) && !model.owed.has(id));
    const doomed = there.filter((id) => !model.isHeld(id));
    if (owed.length + doomed.length === 0) return;
    this.#store = await this.#life.killErasing(this.#store, ids);
    for (const id of owed) model.owed.set(id, "mark");
    if (owed.length === 0) model.purge(doomed);
  }

  async #check(after: Step["kind"]): Promise<void> {
    for (const id of IDS) {
      const found = await this.#store.calls.byCallId(id, "everything");
      const expected = this.#model.legsOf(id).map((state) => [toMoment(state), state.campaign]);
      const legs = found.map(({ datetime, campaign }) => [datetime, campaign]);
      expectThat(`1, 2: ${id} after ${after}`, toSorted(legs), toSorted(expected));
    }
    if (after !== "purge" && after !== "apply") return;
    const there: string[] = [];
    for await (const { sha256 } of this.#store.maintenance.media.list())
      if (sha256 !== undefined) there.push(this.#digests.get(sha256) ?? sha256);
    expectThat("5: just the sounds of records", new Set(there), this.#model.listSounds());
  }

  async #checkHolds(): Promise<void> {
    const listed = await this.#store.maintenance.holds.list();
    const expected = [...this.#model.holds].map(([name, hold]) => [
      name,
      IDS.filter((id) => this.#model.isThere(id) && this.#model.isHeldBy(hold, id)).length,
    ]);
    const found = listed.map(({ name, calls }) => [name, calls]);
    expectThat("2: the holds", found, toSorted(expected));
  }

  async #checkOwed(): Promise<void> {
    const found: string[] = [];
    for await (const row of this.#store.maintenance.internals.read())
      if (row.kind === "owed") found.push(row.callId);
    // What is owed by its mark alone has a name while its call is there.
    const named = [...this.#model.owed].flatMap(([id, owed]) =>
      owed === "name" || this.#model.isThere(id) ? [id] : [],
    );
    expectThat("8: what is owed", toSorted(found), toSorted(named));
  }

  async #checkStates(): Promise<void> {
    for (const id of IDS) {
      const found = await this.#store.maintenance.history({ callId: id });
      const areWhole = found.every(({ isWhole }) => isWhole);
      const states = found.map(({ state }) => toStateText(state as CallItem));
      const expected = this.#model.legsOf(id).flatMap((leg) => this.#model.seen.get(toKey(leg)));
      const texts = expected.flatMap((state) => (state === undefined ? [] : toText(state)));
      expectThat(
        `4: the states of ${id}`,
        [areWhole, ...toSorted(states)],
        [true, ...toSorted(texts)],
      );
    }
  }
}

const byText = (one: unknown, other: unknown) =>
  JSON.stringify(one) < JSON.stringify(other) ? -1 : 1;

const toSorted = (values: readonly unknown[]) => values.toSorted(byText);

/** As the model writes it. */
function toStateText({ record, identity = [], recordings }: CallItem): string {
  const [leg = ""] = identity;
  const ending = record.datetime?.endsWith(".000Z") === true ? ".000Z" : "Z";
  const [sound] = recordings.map(({ filename }) => filename.replace("said.", ""));
  return JSON.stringify([leg, record.campaign, sound ?? null, ending]);
}
