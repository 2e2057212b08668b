// The command line of the museum service.
import { runModelService } from "@call-media/test-setup/model-service";
import { museumService } from "./model.ts";

await runModelService(museumService, process.argv.slice(2));
