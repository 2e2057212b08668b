// An export whose folder was moved or removed by somebody while it worked there.
import { CommandFailure } from "../../failures/command-failure.ts";

export class FolderGone extends CommandFailure {
  constructor(path: string, options?: ErrorOptions) {
    super(
      `${path} was moved or removed while the export worked in it; if it was moved, call-media export --resume goes on where it is now`,
      options,
    );
  }
}
