import { defineTests } from "@call-media/test-setup";

export default defineTests((tier) => ({
  globalSetup: tier === "test" ? [] : "test/support/demo.ts",
  maxWorkers: 2,
}));
