import { defineTests } from "@call-media/test-setup";

export default defineTests(() => ({ verifiedAgain: ["test/drifts.test.ts"] }));
