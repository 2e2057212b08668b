// A client of a service that answers otherwise than the decisions have it.
import { readFile } from "node:fs/promises";

import { createClient } from "@call-media/client";

const credentials = { secretID: "...", secretKey: "..." };

const profile = JSON.parse(await readFile("profile.json", "utf8"));
const client = createClient({ baseUrl: "https://archive.example.com", credentials, profile });

const { data } = await client.GET("/flags/public");
console.log(data.data.length);
