// Express in front of the archive: pages get calls and recordings, and never the key.
import { createProxy } from "@call-media/client/proxy";
import { toNodeHandler } from "@call-media/client/node";
import express, { type RequestHandler } from "express";

const { CALL_MEDIA_BASE_URL, CALL_MEDIA_API_KEY, PORT = "3000" } = process.env;

/** In its place: your own sign-in. */
const requireUser: RequestHandler = (request, response, next) => {
  if (request.get("Cookie")?.includes("user=")) next();
  else response.status(401).send("Sign in first");
};

const proxy = createProxy({
  baseUrl: CALL_MEDIA_BASE_URL,
  apiKey: CALL_MEDIA_API_KEY,
  prefix: "/archive",
  // Only what the page needs; a path that could be read as another one is answered 400.
  only: ["getMetadataByCallId", "streamRecordingByCallId"],
});

const app = express();
app.use("/archive", requireUser, toNodeHandler(proxy));
app.listen(Number(PORT), "127.0.0.1", () => console.log(`http://127.0.0.1:${PORT}`));
