import { defineTests } from "@call-media/test-setup";
import { FaultReporter } from "./test/support/fault-reporter.ts";
import { isLong } from "./test/support/scale.ts";

export default defineTests({
  globalSetup: "test/support/demo.ts",
  reporters: isLong ? [new FaultReporter()] : ["default"],
  // Most of a test's time is that of the processes it starts; the long form has the machine to itself.
  maxWorkers: isLong ? 1 : 2,
});
