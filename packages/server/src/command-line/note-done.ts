// Stores in the archive that a command has ended well, for the metrics of the service.
import type { Maintenance, NotedCommand } from "@call-media/store";
import { toPrintable } from "@call-media/service/printable";
import { console } from "@call-media/terminal";

/** The command has done its work: that this cannot be stored, as on a read-only disk, is no reason to fail. */
export async function noteDone(
  archive: Pick<Maintenance, "noteDone">,
  command: NotedCommand,
  count = 0,
): Promise<void> {
  try {
    await archive.noteDone(command, count);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    console.error(
      toPrintable(`call-media-server: the metrics will not show this ${command}: ${why}`),
    );
  }
}
