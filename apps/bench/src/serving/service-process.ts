// A process that serves the archive of the folder it is given, as `call-media-server serve` does but for logs and metrics.
// Given "no-access-log" as well, the rows of the access log are dropped where the service hands them to the store.
import { createListener, listen } from "@call-media/server";
import type { AccessLog } from "@call-media/store";
import { openStore } from "@call-media/store/sqlite";
import { reportTo } from "./server-process.ts";

const [directory = "", form] = process.argv.slice(2);
const opened = await openStore({ directory });
const dropped = Promise.resolve();
const accessLog: AccessLog = { ...opened.accessLog, append: () => dropped };
const store = form === "no-access-log" ? { ...opened, accessLog } : opened;
const { baseUrl } = await listen(createListener({ store }), { host: "127.0.0.1", port: 0 });
reportTo(Number(new URL(baseUrl).port));
