import { defineTests } from "@call-media/test-setup";

export default defineTests({ globalSetup: "test/support/pack.ts" });
