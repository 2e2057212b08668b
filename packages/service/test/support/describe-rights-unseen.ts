// An identifier of what is hidden is answered byte for byte as one that does not exist, by every operation that takes one.
import type { UserRecord } from "@call-media/store";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type FacedService, signIn, toText } from "./face.ts";
import { type Variant, VARIANTS, vary } from "./rights-variants.ts";
import { type Call, fill, RIGHTS, type World } from "./rights-world.ts";
import { ALLOWED_ALL, toCall, toUser } from "./records.ts";

const LISTED = "Listed";
const LIMITED = toUser({
  ...ALLOWED_ALL,
  ...Object.fromEntries(RIGHTS.map(([right]) => [`allow_all_${right}`, false])),
  ...Object.fromEntries(RIGHTS.map(([right]) => [`allowed_${right}`, [LISTED]])),
  id: 1,
  username: "limited",
});
const WITHOUT_TYPES = {
  ...LIMITED,
  id: 2,
  username: "without types",
  allow_all_download_doc_type: false,
};
const WITHOUT_DOWNLOAD = {
  ...LIMITED,
  id: 3,
  username: "without download",
  allow_download: false,
};
const FIELDS = RIGHTS.map(([, field]) => field);
const SEEN = Object.fromEntries(FIELDS.map((field) => [field, LISTED]));
const HIDDEN = FIELDS.flatMap((field) => [
  { name: `${field}-other`, fields: { ...SEEN, [field]: "Other" } },
  { name: `${field}-null`, fields: { ...SEEN, [field]: null } },
]);

const LEGS = 30;

const RECORDING_FORMS = [
  "/recording/by-call-id/*?part=1",
  "/recording/by-reference/*?part=1",
  "/recording/stream-by-call-id/*?part=1",
  "/recording/stream-by-reference/*?part=1",
];
const FORMS = [
  ...RECORDING_FORMS,
  "/metadata/by-call-id/*",
  "/metadata/by-reference/*",
  "/chat/by-call-id/*",
];

function toHiddenWorld(): World {
  const files = [{ filename: "0-0.wav", startMs: undefined }];
  const toNamed = (name: string, fields: object): Call => {
    const { record } = toCall({ ...fields, call_id: name, ref_id: name });
    return { record, sessionId: undefined, masterId: undefined, files };
  };
  // Many records of one identifier, each hidden by another field.
  const legs = Array.from({ length: LEGS }, (_, leg): Call => {
    const { record } = toCall({
      ...SEEN,
      [FIELDS[leg % FIELDS.length] ?? ""]: `Other ${leg}`,
      call_id: "many",
      ref_id: String(leg),
    });
    return { record, sessionId: "many", masterId: "of-a-master", files };
  });
  const calls = [
    ...[{ name: "seen", fields: SEEN }, ...HIDDEN].map(({ name, fields }) => toNamed(name, fields)),
    ...legs,
  ];
  const message = { transcript: "Yes", party_type: "Agent", label: null, room_id: "a" };
  const chats = calls.map(({ record: { call_id } }) => ({
    ...message,
    call_id,
    datetime: "2026-02-01T09:00:00Z",
  }));
  return { calls, chats, users: [LIMITED, WITHOUT_TYPES, WITHOUT_DOWNLOAD], flags: [] };
}

/** Asks as `user` for the face of a form of an identifier. */
async function createAsker(service: FacedService, user: UserRecord) {
  const key = await signIn(service, user);
  return async (form: string, name: string, variant: Variant) => {
    const sent = vary({ method: "GET", path: form.replace("*", name) }, variant);
    return toText(await service.face(key, sent));
  };
}

export function describeRightsUnseen(start: () => Promise<FacedService>): void {
  describe("an identifier of what is hidden is answered as one that does not exist", () => {
    let service: FacedService;
    beforeAll(async () => {
      service = await start();
      await fill(service, toHiddenWorld());
    });
    afterAll(() => service[Symbol.asyncDispose]());

    test.each(FORMS)("by %s, whatever hides it and however it is asked for", async (form) => {
      const faceOf = await createAsker(service, LIMITED);
      expect(await faceOf(form, "seen", {})).not.toBe(await faceOf(form, "none", {}));
      for (const [index, variant] of VARIANTS.entries()) {
        const expected = await faceOf(form, "none", variant);
        // Every restriction is asked for as it is and by HEAD, every variant of one restriction.
        for (const { name } of index < 2 ? HIDDEN : HIDDEN.slice(index, index + 1))
          expect(await faceOf(form, name, variant), name).toBe(expected);
        for (const name of index < 2 ? ["many", "of-a-master"] : ["many"])
          expect(await faceOf(form, name, variant), name).toBe(expected);
      }
    });

    test.each(RECORDING_FORMS)("by %s, also where 403 is possible", async (form) => {
      const withoutTypes = await createAsker(service, WITHOUT_TYPES);
      const withoutDownload = await createAsker(service, WITHOUT_DOWNLOAD);
      expect(await withoutTypes(form, "seen", {})).toMatch(/^403/);
      for (const [index, variant] of VARIANTS.entries()) {
        const name = HIDDEN[index]?.name ?? "";
        const none = await withoutTypes(form, "none", variant);
        expect(await withoutTypes(form, name, variant)).toBe(none);
        const refused = await withoutDownload(form, "none", variant);
        expect(await withoutDownload(form, name, variant)).toBe(refused);
        expect(await withoutDownload(form, "seen", variant)).toBe(refused);
      }
    });
  });
}
