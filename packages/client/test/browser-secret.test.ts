// Where every user of a page could read the secret, a client is refused.
import { afterEach, expect, test, vi } from "vitest";

import { createClient, createContractCalls } from "../src/index.ts";
import { credentials } from "./service.ts";

const baseUrl = "https://archive.example";

afterEach(() => vi.unstubAllGlobals());

test.each([{ credentials }, { apiKey: "key-1" }])(
  "in a browser %j needs allowSecretInBrowser",
  (who) => {
    vi.stubGlobal("document", {});
    for (const create of [createClient, createContractCalls]) {
      expect(() => create({ baseUrl, ...who })).toThrow("allowSecretInBrowser");
      expect(create({ baseUrl, ...who, allowSecretInBrowser: true })).toHaveProperty("GET");
    }
  },
);
