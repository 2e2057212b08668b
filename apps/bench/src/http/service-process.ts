// A process that serves the archive of the folder it is given, as `call-media-server serve` does.
import { createService, listen } from "@call-media/server";
import { openStore } from "@call-media/store/sqlite";
import { reportTo } from "./server-process.ts";

const [directory = ""] = process.argv.slice(2);
const store = await openStore({ directory });
const { baseUrl } = await listen(createService({ store }), { host: "127.0.0.1", port: 0 });
reportTo(Number(new URL(baseUrl).port));
