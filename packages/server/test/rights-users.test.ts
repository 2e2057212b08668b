// Whose records are read for a list of users: nobody's who may not be seen.
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { ALLOWED_ALL, bodyOf, startTestService } from "./support/service.ts";

test("a damaged record of another user fails only the list of an administrator", async () => {
  await using service = await startTestService();
  const { key: admin } = await service.addUser({ ...ALLOWED_ALL, is_admin: true });
  const { key } = await service.addUser({ ...ALLOWED_ALL, username: "ann" });
  const { user: other } = await service.addUser(ALLOWED_ALL);
  using database = new DatabaseSync(join(service.directory, "archive.db"));
  database.prepare("UPDATE user SET record = '{' WHERE id = ?").run(other.id);

  for (const status of ["all", "active"]) {
    const path = `/users/basic-info?status=${status}`;
    expect((await service.get(path, admin)).status).toBe(503);
    const answer = await service.get(path, key);
    expect(answer.status).toBe(200);
    expect((await bodyOf(answer)).data).toMatchObject([{ username: "ann" }]);
  }
});
