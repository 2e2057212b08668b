// A program that closes a thread before its job is done. It exits with 13 if nothing keeps it alive until the thread has ended.
import { createJobThread } from "../../src/sqlite/job-thread.ts";

// Its end takes longer than the way of its response, as that of a thread with open databases does.
const module = `import { parentPort } from "node:worker_threads";
parentPort.on("message", (request) =>
  request === "close" ? setTimeout(() => parentPort.close(), 50) : parentPort.postMessage({ result: request.job }),
);`;
const thread = createJobThread<string, string>(
  new URL(`data:text/javascript,${encodeURIComponent(module)}`),
  {},
);
const answer = thread.run("last");
await thread.close();
console.log(await answer);
