// `call-media-server setup`: the tables of an archive made, or brought to this version, before servers of this version start.
import { createStore } from "@call-media/store/open";
import { toPrintable } from "@call-media/service/printable";
import type { Command } from "commander";
import { addPlaces, describePlaces, type PlaceFlags, toPlaces } from "../command-line/places.ts";
import { console } from "@call-media/terminal";

const HELP = `
setup makes an archive where there is none. Where there is one, it brings its tables to the version of this program; servers
of the version before go on with them. Run it before new servers start, as a user who may create tables; the servers do not
need to. Running it again changes nothing. An archive in a folder needs no setup: "import" makes it.

  $ export CALL_MEDIA_RECORDS=postgres://owner:...@db.example.com/call_media
  $ export CALL_MEDIA_MEDIA='s3://recordings?region=eu-west-1'
  $ call-media-server setup --timezone Europe/London`;

interface SetupFlags extends PlaceFlags {
  readonly timezone?: string;
}

export function configureSetup(command: Command): void {
  addPlaces(command)
    .option(
      "--timezone <name>",
      "where days begin, an IANA name; an archive that has calls keeps its own (default: UTC)",
    )
    .addHelpText("after", HELP)
    .action(async ({ timezone: timeZone, ...flags }: SetupFlags) => {
      const places = toPlaces(flags);
      await using store = await createStore(places, { timeZone });
      console.log(
        toPrintable(
          `The archive in ${describePlaces(places)} is ready; its time zone is ${store.timeZone}.`,
        ),
      );
    });
}
