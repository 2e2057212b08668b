// Sign-ins in crowds: each is checked at its full price, whoever sends it (D23).
import type { Schema } from "@call-media/api";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  ALLOWED_ALL,
  createApplication,
  startTestService,
  type TestService,
} from "./support/service.ts";

let service: TestService;
beforeEach(async () => {
  service = await startTestService();
});
afterEach(() => service[Symbol.asyncDispose]());

/** `from`: its address; null when nobody knows whose it is. */
const signIn = (body: Schema<"TokenRequest">, from: string | null) =>
  service.send("/Token", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body,
    from,
  });

const toAddress = (n: number) => `192.0.2.${n % 250}`;

describe("a sign-in", () => {
  test("is put off when too many others are being checked, and those are all answered", async () => {
    const answers = await Promise.all(
      Array.from({ length: 200 }, async (_, index) => {
        const wrong = { secretID: `app_${index}`, secretKey: "wrong" };
        const { status, headers } = await signIn(wrong, toAddress(index));
        return { status, retryAfter: headers.get("retry-after") };
      }),
    );
    const putOff = answers.filter(({ status }) => status !== 401);
    expect(putOff.length).toBeGreaterThan(0);
    expect(putOff).toEqual(putOff.map(() => ({ status: 429, retryAfter: "3" })));
  });

  test.each([
    ["from many addresses", toAddress],
    ["behind a proxy that names nobody", () => null],
  ])(
    "with the right key is answered elsewhere, whoever fails with its secretID %s",
    async (_what, from) => {
      const { user } = await service.addUser(ALLOWED_ALL);
      const credentials = await createApplication(service.store, user.id);
      const wrong = { ...credentials, secretKey: "wrong" };
      await Promise.all(Array.from({ length: 60 }, (_, n) => signIn(wrong, from(n))));
      for (const address of [toAddress(200), null])
        expect((await signIn(credentials, address)).status).toBe(200);
    },
  );

  test("is not kept out of the queue by all that another address sends, even with a right key", async () => {
    const { user } = await service.addUser(ALLOWED_ALL);
    const credentials = await createApplication(service.store, user.id);
    const flood = Array.from(
      { length: 300 },
      async () => (await signIn(credentials, toAddress(1))).status,
    );
    await Promise.any(flood);
    expect((await signIn(credentials, toAddress(2))).status).toBe(200);
    expect(new Set(await Promise.all(flood))).toEqual(new Set([200, 429]));
  });
});
