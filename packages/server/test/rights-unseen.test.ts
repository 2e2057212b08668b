// What a user may not see leaves no trace: every answer is byte for byte that of an archive in which it never was.
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { ask, type Face, type Sent, signIn } from "./support/face.ts";
import { toSeen } from "./support/rights-model.ts";
import { expectAlways, type Question, question, SEED, toSent } from "./support/rights-questions.ts";
import { type Call, fill, RIGHTS, type World, world } from "./support/rights-world.ts";
import { ALLOWED_ALL, startTestService, toCall, toUser } from "./support/service.ts";

interface Variant {
  readonly isHead?: boolean;
  readonly headers?: Readonly<Record<string, string>>;
  readonly query?: string;
}

// What is unusual about a request, or wrong with it, must not be found sooner or later because something is hidden.
const VARIANTS: readonly Variant[] = [
  {},
  { isHead: true },
  { headers: { Range: "bytes=1-3" } },
  { headers: { Range: "bytes=1-3" }, isHead: true },
  { headers: { Range: "bytes=3-1" } },
  { headers: { Range: "bytes=nonsense" } },
  { headers: { Range: "bytes=100000-" } },
  { headers: { Range: "bytes=1-3", "If-Range": '"another"' } },
  { headers: { "If-None-Match": "*" } },
  { headers: { "If-None-Match": '"another"' } },
  { headers: { Accept: "text/html" } },
  { headers: { Accept: "audio/mpeg" } },
  { query: "part=2" },
  { query: "part=0" },
  { query: "part=10001" },
  { query: "part=first" },
  { query: "part=1&part=1" },
];

function vary({ method, path, headers, body }: Sent, variant: Variant): Sent {
  return {
    method: variant.isHead === true && method === "GET" ? "HEAD" : method,
    path: variant.query === undefined ? path : path.replace(/part=\d+/, variant.query),
    headers: { ...headers, ...variant.headers },
    body,
  };
}

/** As text, so that a difference can be read. */
function toText({ status, headers, body }: Face): string {
  return [status, ...headers, "", body.toString("latin1")].join("\n");
}

const asked = fc.tuple(question, fc.constantFrom({}, ...VARIANTS), fc.nat(1));
const questions = fc.array(asked, { minLength: 60, maxLength: 60 });
const eyes = fc.nat(5);

test(
  `an archive without what is hidden answers the same (seed ${SEED})`,
  { timeout: 120_000 },
  () => expectAlways(fc.asyncProperty(world, questions, eyes, checkTwin), 6),
);

async function checkTwin(
  given: World,
  all: readonly [Question, Variant, number][],
  eye: number,
): Promise<void> {
  const active = given.users.filter(({ status }) => status === 1);
  const user = active[eye % active.length];
  if (user === undefined) return;
  await using service = await startTestService();
  await using twin = await startTestService();
  await Promise.all([fill(service, given), fill(twin, toReleased(given, user))]);
  const [key, twinKey] = [await signIn(service, user), await signIn(twin, user)];
  const checks = all.map(async ([one, variant, pageIndex]) => {
    const sent = vary(toSent(one, pageIndex), variant);
    const face = await ask(service.baseUrl, key, sent);
    const expected = await ask(twin.baseUrl, twinKey, sent);
    expect(toText(face), JSON.stringify(sent)).toBe(toText(expected));
  });
  await Promise.all(checks);
}

// Where nothing may be fetched, not even the 403 may tell whether there is anything.
function toReleased(given: World, user: World["users"][number]): World {
  const seen = toSeen(given, user);
  if (user.allow_download) return seen;
  return { ...seen, calls: seen.calls.map((call) => ({ ...call, files: [] })) };
}

const LISTED = "Listed";
const LIMITED = toUser({
  ...ALLOWED_ALL,
  ...Object.fromEntries(RIGHTS.map(([right]) => [`allow_all_${right}`, false])),
  ...Object.fromEntries(RIGHTS.map(([right]) => [`allowed_${right}`, [LISTED]])),
  id: 1,
  username: "limited",
});
const FIELDS = RIGHTS.map(([, field]) => field);
const SEEN = Object.fromEntries(FIELDS.map((field) => [field, LISTED]));
const HIDDEN = FIELDS.flatMap((field) => [
  { name: `${field}-other`, fields: { ...SEEN, [field]: "Other" } },
  { name: `${field}-null`, fields: { ...SEEN, [field]: null } },
]);

const FORMS = [
  "/metadata/by-call-id/*",
  "/metadata/by-reference/*",
  "/recording/by-call-id/*?part=1",
  "/recording/by-reference/*?part=1",
  "/recording/stream-by-call-id/*?part=1",
  "/recording/stream-by-reference/*?part=1",
  "/chat/by-call-id/*",
];

function toHiddenWorld(): World {
  const toNamed = (name: string, fields: object): Call => {
    const { record } = toCall({ ...fields, call_id: name, ref_id: name });
    const files = [{ filename: "0-0.wav", startMs: undefined }];
    return { record, sessionId: undefined, masterId: undefined, files };
  };
  const calls = [{ name: "seen", fields: SEEN }, ...HIDDEN].map(({ name, fields }) =>
    toNamed(name, fields),
  );
  const message = { transcript: "Yes", party_type: "Agent", label: null, room_id: "a" };
  const chats = calls.map(({ record: { call_id } }) => ({
    ...message,
    call_id,
    datetime: "2026-02-01T09:00:00Z",
  }));
  return { calls, chats, users: [LIMITED], flags: [] };
}

test("an identifier of what is hidden is answered as one that does not exist, by every operation", async () => {
  await using service = await startTestService();
  await fill(service, toHiddenWorld());
  const key = await signIn(service, LIMITED);
  const faceOf = async (form: string, name: string, variant: Variant) =>
    toText(
      await ask(
        service.baseUrl,
        key,
        vary({ method: "GET", path: form.replace("*", name) }, variant),
      ),
    );

  for (const form of FORMS) {
    expect(await faceOf(form, "seen", {}), `${form} of what is seen`).not.toBe(
      await faceOf(form, "none", {}),
    );
    for (const [index, variant] of VARIANTS.entries()) {
      const expected = await faceOf(form, "none", variant);
      // Every restriction is asked for as it is and by HEAD, every variant of one restriction.
      const hidden = index < 2 ? HIDDEN : HIDDEN.slice(index, index + 1);
      for (const { name } of hidden)
        expect(await faceOf(form, name, variant), `${form} ${name}`).toBe(expected);
    }
  }
});
