// Random archives for tests of rights: calls that share identifiers, recordings and chats of them, users and their rights.
import * as fc from "fast-check";
import type {
  ArchiveItem,
  ChatMessageRecord,
  FlagRecord,
  Media,
  MetadataRecord,
  UserRecord,
} from "@call-media/store";
import type { FacedService } from "./face.ts";
import { toCall, toUser } from "./records.ts";

/** The pairs of D21: allow_all_X and allowed_X of a user, and the field of a record that they restrict. */
export const RIGHTS = [
  ["campaigns", "campaign"],
  ["skills", "skill"],
  ["agents", "agent"],
  ["groups", "agent_group"],
  ["media", "media"],
  ["secure01", "security_field_01"],
  ["secure02", "security_field_02"],
  ["secure03", "security_field_03"],
  ["secure04", "security_field_04"],
  ["secure05", "security_field_05"],
] as const;

export interface File {
  readonly filename: string;
  readonly startMs: number | undefined;
}

export interface Call {
  readonly record: MetadataRecord;
  readonly sessionId: string | undefined;
  readonly masterId: string | undefined;
  readonly files: readonly File[];
}

export interface Flag {
  readonly record: FlagRecord;
  readonly userId: number | undefined;
}

/** Everything in the order of its import. */
export interface World {
  readonly calls: readonly Call[];
  readonly chats: readonly ChatMessageRecord[];
  readonly users: readonly UserRecord[];
  readonly flags: readonly Flag[];
}

// Few, or nothing would ever match; equal by case folding or trimming, and such that only look so.
export const WORDS = ["Sales", " sALEs ", "\u017fales", "Straße", "STRASSE", "σας", "ΣΑΣ", "1", ""];
export const CALL_IDS = [...Array(24).keys()].map((n) => `call ${n}/ü`);
export const REFERENCES = [...Array(12).keys()].map((n) => `ref-${n}`);
export const USERS = 8;
const TEXTS = [
  "a refund of the bill",
  "refunded, the bill",
  "reimbursement",
  "reimbursements of Straße",
  "σας ζέβρα",
];
const EXTENSIONS = [".wav", ".WAV", ".mp3", ".tar.gz", ""];
const FIRST_MS = Date.UTC(2026, 1, 1, 22);
const STEP_MS = 45 * 60_000; // sixty of them reach over three days

export const word = fc.constantFrom(...WORDS);
const rarely = <T>(value: fc.Arbitrary<T>) => fc.option(value, { freq: 2, nil: undefined });
const orNull = <T>(value: fc.Arbitrary<T>) => fc.option(value, { freq: 12 });
const reference = fc.constantFrom(...REFERENCES);
const instant = fc.nat(60).map((step) => new Date(FIRST_MS + step * STEP_MS).toISOString());
// With one offset or another, and with none, which is UTC in these archives.
const datetime = fc
  .tuple(instant, fc.constantFrom("Z", "+00:00", ""))
  .map(([text, end]) => text.replace(/\.000Z$/, end));

// A call's values are few, so that a user with two or three restrictions still sees some.
const restricted = fc.record(Object.fromEntries(RIGHTS.map(([, field]) => [field, orNull(word)])));
const named = fc.record({
  call_id: orNull(fc.constantFrom(...CALL_IDS)),
  ref_id: orNull(reference),
  datetime: orNull(datetime),
  custom_field_1: orNull(word),
});
const file = fc.tuple(fc.constantFrom(...EXTENSIONS), rarely(fc.nat(3)));
const call = fc.tuple(
  restricted,
  named,
  rarely(reference),
  rarely(reference),
  fc.array(file, { maxLength: 3 }),
);
type CallParts = typeof call extends fc.Arbitrary<infer Parts> ? Parts : never;

const LEGS = 80;

// Many records of one identifier, with one set of values, or a few of them with another.
const legs = fc
  .record({
    values: fc.tuple(restricted, restricted),
    isOther: fc.constantFrom<(index: number) => boolean>(
      () => false,
      (index) => index === LEGS - 1,
      (index) => index % 3 === 2,
    ),
    call_id: fc.constantFrom(...CALL_IDS),
    reference,
  })
  .map(({ values: [values, others], isOther, call_id, reference: name }) =>
    Array.from({ length: LEGS }, (_, index): CallParts => {
      const at = new Date(FIRST_MS + index * STEP_MS).toISOString();
      const names = { call_id, ref_id: null, datetime: at, custom_field_1: null };
      return [isOther(index) ? others : values, names, name, undefined, [[".wav", undefined]]];
    }),
  );
const callsAndLegs = fc
  .tuple(
    fc.array(call, { minLength: 80, maxLength: 170, size: "max" }),
    fc.array(legs, { minLength: 1, maxLength: 2 }),
  )
  .map(([calls, others]): readonly CallParts[] => [...calls, ...others.flat()]);
const manyCalls = callsAndLegs.map((given) =>
  given.map(([rights, names, sessionId, masterId, pairs], index): Call => {
    // As an archive lists them (D17): these starts are all before any datetime.
    const ofStart = pairs.toSorted(([, a = Infinity], [, b = Infinity]) => (a === b ? 0 : a - b));
    const files = ofStart.map(([end, startMs], part) => ({
      filename: `${index}-${part}${end}`,
      startMs,
    }));
    const recordings = files.map(({ filename }) => filename).join("; ") || null;
    const notes = `${index} ${TEXTS[index % TEXTS.length]}`;
    const phone_number1 = String(2_065_550_100 + index);
    const { record } = toCall({ ...rights, ...names, recordings, notes, phone_number1 });
    return { record, sessionId, masterId, files };
  }),
);

const list = fc.subarray([...WORDS, "unknown"], { minLength: 0 });
const lists = fc.record(Object.fromEntries(RIGHTS.map(([right]) => [`allowed_${right}`, list])));
const unrestricted = fc
  .subarray([...RIGHTS], { minLength: RIGHTS.length - 3 })
  .map((given) => Object.fromEntries(given.map(([right]) => [`allow_all_${right}`, true])));
const own = fc.record({
  status: fc.constantFrom(1, 1, 1, 1, 1, 1, 1, 0, 2),
  is_admin: fc.boolean(),
  allow_download: fc.constantFrom(true, true, true, false),
  allow_all_download_doc_type: fc.boolean(),
  allowed_download_doc_type: fc.subarray(["wav", " .Mp3", "gz", "tar", ""]),
  allow_all_flags: fc.boolean(),
  allowed_flags: list,
  address: fc.constantFrom("", "1 High Street"),
});
const users = fc
  .array(fc.tuple(lists, unrestricted, own), { minLength: USERS, maxLength: USERS })
  .map((given) =>
    given.map(([allowed, all, fields], index) =>
      toUser({ id: index + 1, username: `user${index + 1}`, ...allowed, ...all, ...fields }),
    ),
  );

/** The identifier of a call with a record, or without one. */
export const chatId = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...CALL_IDS) },
  { weight: 1, arbitrary: fc.constant("without a record") },
);
const chats = fc.array(
  fc.record({
    call_id: orNull(chatId),
    transcript: orNull(word),
    datetime: instant,
    party_type: fc.constantFrom("Agent", "Customer"),
    label: fc.constant(null),
    room_id: fc.constantFrom("a", "b"),
  }),
  { minLength: 20, maxLength: 40, size: "max" },
);
const flags = fc
  .array(fc.tuple(word, fc.constantFrom("Public", "Private"), fc.integer({ min: 1, max: USERS })), {
    maxLength: 16,
    size: "max",
  })
  .map((given) =>
    given.map(([Name, Type, userId], index): Flag => {
      const dates = { DateCreated: "2026-01-01T00:00:00Z", DateModified: "2026-01-01T00:00:00Z" };
      return {
        record: { Id: index + 1, Type, Name, ...dates },
        userId: Type === "Private" ? userId : undefined,
      };
    }),
  );

export const world: fc.Arbitrary<World> = fc.record({ calls: manyCalls, chats, users, flags });

/**
 * `given` with the rights and the values of `other`, as far as a repeated import takes a call for the same one: by its
 * call_id, and with the recordings that it has.
 */
export function revise(given: World, other: World): World {
  const calls = given.calls.map((known, index) => {
    const { call_id, ref_id, datetime: at, recordings } = known.record;
    const { record } = other.calls[index] ?? known;
    if (call_id === null) return known;
    return { ...known, record: { ...record, call_id, ref_id, datetime: at, recordings } };
  });
  return { ...given, calls, users: other.users };
}

/** What is in a recording: one content for all first ones of a call, another for all second ones, and so on. */
export function contentOf(filename: string): Buffer {
  return Buffer.from(`the content of ${toKind(filename)}`);
}

// Recordings have their bytes in common, and neither their times nor their declared types.
const MODIFIED_MS = Date.UTC(2026, 0, 2);

/** Imports the world; what is there already is brought up to it. */
export async function fill({ store, add }: FacedService, given: World): Promise<void> {
  const media = new Map<string, Media>();
  for (const { filename } of given.calls.flatMap(({ files }) => files)) {
    const kind = toKind(filename);
    if (!media.has(kind))
      media.set(kind, await store.media.put({ name: kind, content: contentOf(filename) }));
  }
  const toRecording = ({ filename, startMs }: File) => {
    const added = media.get(toKind(filename));
    if (added === undefined) throw new Error(`no content was added for ${filename}`);
    const number = Number.parseInt(filename, 10);
    const ofItself = { modifiedMs: MODIFIED_MS + 1_000 * number, type: `audio/x-${number % 5}` };
    return { filename, startMs, media: { ...added, ...ofItself } };
  };
  await add(
    ...given.users.map((record): ArchiveItem => ({ kind: "user", record })),
    ...given.calls.map(({ record, sessionId, masterId, files }): ArchiveItem => ({
      kind: "call",
      record,
      sessionId,
      masterId,
      recordings: files.map(toRecording),
      // The number of the call: two may be alike in all else.
      identity: [record.notes],
    })),
    ...given.chats.map((record): ArchiveItem => ({ kind: "chat", record })),
    ...given.flags.map(({ record, userId }): ArchiveItem => ({ kind: "flag", record, userId })),
  );
}

function toKind(filename: string): string {
  return /-\d/.exec(filename)?.[0] ?? "";
}
