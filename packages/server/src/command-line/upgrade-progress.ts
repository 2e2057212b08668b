// Says on stderr how far an archive of an earlier version has been brought up to date: some minutes for millions of calls.
import type { OnUpgrade } from "@call-media/store/sqlite";
import { SingleBar } from "cli-progress";

/** Nothing is said of an archive that is up to date already. */
export function createUpgradeProgress(): OnUpgrade {
  const bar = new SingleBar({
    format: "bringing the archive up to date {bar} {percentage}%  {eta_formatted} left",
    stream: process.stderr,
    noTTYOutput: false,
    linewrap: true, // see progress.ts
    clearOnComplete: true,
  });
  let isTold = false;
  return (done, total) => {
    if (!isTold) {
      console.error(`bringing the archive up to date: ${total.toLocaleString("en")} calls`);
      if (process.stderr.isTTY) bar.start(total, done);
    }
    isTold = true;
    if (bar.isActive) bar.update(done);
    if (done >= total) bar.stop();
  };
}
