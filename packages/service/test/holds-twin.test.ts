// What is held, due or owed an erasure leaves no trace in any answer.
import { describeHoldsTwin } from "./support/describe-holds-twin.ts";
import { startTestService } from "./support/service.ts";

describeHoldsTwin(startTestService, 3);
