// Random steps in the life of an archive, as data: see life.ts.
import * as fc from "fast-check";

export const IDS = ["A", "B", "C"] as const;
export const CAMPAIGNS = ["x", "y", "z"] as const;
/** The endings of the files: a recording in another form takes the place of the one before. */
const SOUNDS = ["wav", "mp3"] as const;
const NAMES = ["h1", "h2"] as const;

/** One leg of a call, in one state. */
export interface State {
  readonly id: string;
  readonly leg: string;
  /** Counted from the first day of the test. */
  readonly day: number;
  readonly campaign: string;
  readonly sound: string | null;
  /** Two notations of the same instant. */
  readonly ending: "Z" | ".000Z";
}

/** What a hold keeps: calls of a campaign, and calls by their call_ids. */
export interface Held {
  readonly campaign: string | undefined;
  readonly ids: readonly string[];
}

const id = fc.constantFrom(...IDS);
const campaign = fc.constantFrom(...CAMPAIGNS);
const name = fc.constantFrom(...NAMES);
const ids = fc.subarray([...IDS], { minLength: 1, maxLength: 2 });
const kind = <Kind extends string>(of: Kind) => fc.constant(of);

const held: fc.Arbitrary<Held> = fc.oneof(
  campaign.map((one) => ({ campaign: one, ids: [] })),
  ids.map((some) => ({ campaign: undefined, ids: some })),
);

export const STEP = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      kind: kind("import"),
      id,
      leg: fc.constantFrom("1", "2"),
      ago: fc.constantFrom(0, 5, 40, 90),
      campaign,
      sound: fc.constantFrom(...SOUNDS, null),
      ending: fc.constantFrom("Z", ".000Z"),
      restores: fc.constantFrom(false, false, false, true),
    }),
  },
  { weight: 4, arbitrary: fc.record({ kind: kind("hold"), name, held }) },
  { weight: 3, arbitrary: fc.record({ kind: kind("release"), name }) },
  { weight: 4, arbitrary: fc.record({ kind: kind("purge"), ids }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: kind("policy"),
      campaign: fc.constantFrom(...CAMPAIGNS, ""),
      days: fc.constantFrom(3, 30, 60, 200),
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: kind("apply"), isCut: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ kind: kind("day"), days: fc.constantFrom(1, 20, 40) }) },
  { weight: 3, arbitrary: fc.record({ kind: kind("backup") }) },
  { weight: 4, arbitrary: fc.record({ kind: kind("restore"), index: fc.nat(5) }) },
  { weight: 1, arbitrary: fc.record({ kind: kind("kill"), ids }) },
);

export type Step = typeof STEP extends fc.Arbitrary<infer Value> ? Value : never;
