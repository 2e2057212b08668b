import { defineTests } from "@call-media/test-setup";

export default defineTests((tier) => ({
  globalSetup: tier === "verify" ? "test/support/pack.ts" : [],
}));
