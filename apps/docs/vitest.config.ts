import { defineTests } from "@call-media/test-setup";

export default defineTests(() => ({ globalSetup: "test/support/demo.ts", maxWorkers: 2 }));
