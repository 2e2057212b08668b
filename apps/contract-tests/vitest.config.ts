import { defineTests } from "@call-media/test-setup";

export default defineTests(() => ({ provedAgain: ["test/conformance.{test,verify}.ts"] }));
