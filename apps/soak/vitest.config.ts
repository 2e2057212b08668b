import { defineTests } from "@call-media/test-setup";
import { FaultReporter } from "./test/support/fault-reporter.ts";

export default defineTests((tier) => ({
  globalSetup: "test/support/demo.ts",
  provedAgain: ["test/*.verify.ts"],
  ...(tier === "prove" && { reporters: [new FaultReporter()] }),
  // Most of a test's time is that of the processes it starts; the long form has the machine to itself.
  maxWorkers: tier === "prove" ? 1 : 2,
}));
