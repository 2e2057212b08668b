// An identifier of what is hidden is answered byte for byte as one that does not exist, by every operation that takes one.
import { describeRightsUnseen } from "./support/describe-rights-unseen.ts";
import { startTestService } from "./support/service.ts";

describeRightsUnseen(startTestService);
