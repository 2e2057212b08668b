import { defineTests } from "@call-media/test-setup";

export default defineTests((tier) => ({
  onDisk: true,
  globalSetup: tier === "verify" ? "test/support/pack.ts" : [],
}));
