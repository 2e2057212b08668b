// Every read, count and page is what the model makes of D20 to D22, whatever the records, users and questions.
import { describeRightsModel } from "./support/describe-rights-model.ts";
import { startTestService } from "./support/service.ts";

describeRightsModel(startTestService, 2);
