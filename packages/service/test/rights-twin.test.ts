// What a user may not see leaves no trace: every answer is byte for byte that of an archive in which it never was.
import { describeRightsTwin } from "./support/describe-rights-twin.ts";
import { startTestService } from "./support/service.ts";

describeRightsTwin(startTestService, 3);
