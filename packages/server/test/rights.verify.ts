// Rights as they are seen from outside: over HTTP, from an archive on the disk, in random archives and byte for byte.
import { describeHoldsTwin } from "../../service/test/support/describe-holds-twin.ts";
import { describeRightsModel } from "../../service/test/support/describe-rights-model.ts";
import { describeRightsTwin } from "../../service/test/support/describe-rights-twin.ts";
import { describeRightsUnseen } from "../../service/test/support/describe-rights-unseen.ts";
import { startTestService } from "./support/service.ts";

describeRightsModel(startTestService, 4);
describeRightsTwin(startTestService, 6);
describeRightsUnseen(startTestService);
describeHoldsTwin(startTestService, 6);
