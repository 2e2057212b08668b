// The command line of the railway service.
import { runModelService } from "@call-media/test-setup/model-service";
import { railwayService } from "./model.ts";

await runModelService(railwayService, process.argv.slice(2));
