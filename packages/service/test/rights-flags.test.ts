// Which flags a user may see (D22): public ones by name, private ones by whose they are.
import { afterAll, beforeAll, expect, test } from "vitest";
import { toFace } from "./support/face.ts";
import { ALLOWED_ALL, bodyOf, startTestService, type TestService } from "./support/service.ts";

let service: TestService;
let admin: string;
let all: string;
let limited: string;
let limitedId: number;

const DAY = "2026-02-01T09:00:00Z";

beforeAll(async () => {
  service = await startTestService();
  ({ key: admin } = await service.addUser({ ...ALLOWED_ALL, is_admin: true }));
  ({ key: all } = await service.addUser(ALLOWED_ALL));
  const { user, key } = await service.addUser({
    ...ALLOWED_ALL,
    allow_all_flags: false,
    allowed_flags: ["Follow up"],
  });
  limited = key;
  limitedId = user.id;
  const flag = (Id: number, Type: "Public" | "Private", Name: string) => ({
    Id,
    Type,
    Name,
    DateCreated: DAY,
    DateModified: DAY,
  });
  await service.add(
    { kind: "flag", record: flag(1, "Public", "Follow Up") },
    { kind: "flag", record: flag(2, "Public", "Escalated") },
    { kind: "flag", record: flag(3, "Private", "Mine"), userId: limitedId },
    { kind: "flag", record: flag(4, "Private", "Of somebody else"), userId: 1 },
  );
});
afterAll(() => service[Symbol.asyncDispose]());

const namesOf = async (response: Response) =>
  (await bodyOf<{ Name: string }[]>(response)).data.map(({ Name }) => Name);

test("public flags are those of allowed_flags", async () => {
  expect(await namesOf(await service.get("/flags/public", limited))).toEqual(["Follow Up"]);
  expect(await namesOf(await service.get("/flags/public", all))).toEqual([
    "Follow Up",
    "Escalated",
  ]);
});

test("private flags are a user's own, or asked for by an administrator", async () => {
  expect(await namesOf(await service.get(`/flags/private?user_id=${limitedId}`, limited))).toEqual([
    "Mine",
  ]);
  expect(await namesOf(await service.get(`/flags/private?user_id=${limitedId}`, admin))).toEqual([
    "Mine",
  ]);
  expect(await namesOf(await service.get(`/flags/private?user_id=${limitedId}`, all))).toEqual([]);
});

test("private flags of another user are answered like those of an unknown user", async () => {
  const others = await toFace(await service.get("/flags/private?user_id=1", limited));
  expect(others).toEqual(await toFace(await service.get("/flags/private?user_id=4711", limited)));
  expect(others).toMatchObject({
    status: 200,
    body: '{"isError":false,"errorMessage":null,"data":[]}',
  });
});
