// Sends jobs to the thread that writes access.db, and converts its errors to those of the port.
import type { ChainHead } from "../../port/access-log.ts";
import { type FaultReason, StoreFault } from "../../port/index.ts";
import type { RowWriter } from "../../values/access-queue.ts";
import type { Changed } from "./access-jobs.ts";
import type { ThreadJob } from "./access-thread.ts";
import { createJobThread, toModule } from "../job-thread.ts";

export interface AccessWriter extends RowWriter {
  /** Throws `StoreFault`. */
  run(job: ThreadJob): Promise<Changed>;
  /** Resolves when the thread has ended; pending jobs are done first. */
  close(): Promise<void>;
}

const THREAD = toModule("access-thread", import.meta.url);

export function createAccessWriter(directory: string): AccessWriter {
  const thread = createJobThread<ThreadJob, Changed>(THREAD, directory);
  let isClosed = false;
  const run: AccessWriter["run"] = async (job) => {
    if (isClosed) throw toWriteFault("the archive is closed");
    try {
      return await thread.run(job);
    } catch (error) {
      const fault = error instanceof Error ? error : new Error(String(error));
      // The thread throws a `StoreFault` for a log that lacks rows or that no longer exists.
      throw toWriteFault(fault.message, fault.name === "StoreFault" ? "lost" : "unavailable");
    }
  };
  let kept: ChainHead | undefined;
  const keep = (head: ChainHead | undefined) => {
    if ((head?.seq ?? 0) > (kept?.seq ?? 0)) kept = head;
    return head;
  };
  return {
    run,
    append: async (entries, isPromised = false) => {
      if (isPromised) await run({ kind: "append", entries, isAccepted: true });
      else keep((await run({ kind: "append", entries, kept })).head);
    },
    check: async () => void keep((await run({ kind: "check", kept })).head),
    witness: async () => keep((await run({ kind: "witness" })).head),
    close: async () => {
      isClosed = true;
      await thread.close();
    },
  };
}

function toWriteFault(fault: string, reason: FaultReason = "unavailable"): StoreFault {
  return new StoreFault(reason, `access.db could not be written: ${fault}`);
}
