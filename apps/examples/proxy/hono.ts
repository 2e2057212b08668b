// Hono in front of the archive: pages get calls and recordings, and never the key.
import { createProxy } from "@call-media/client/proxy";
import { type HttpBindings, serve } from "@hono/node-server";
import { Hono } from "hono";
import { createMiddleware } from "hono/factory";

const { CALL_MEDIA_BASE_URL, CALL_MEDIA_API_KEY, PORT = "3000" } = process.env;

/** In its place: your own sign-in. */
const requireUser = createMiddleware(async (context, next) => {
  if (context.req.header("Cookie")?.includes("user=")) return next();
  return context.text("Sign in first", 401);
});

const proxy = createProxy({
  baseUrl: CALL_MEDIA_BASE_URL,
  apiKey: CALL_MEDIA_API_KEY,
  prefix: "/archive",
  // Only what the page needs; a path that could be read as another one is answered 400.
  only: ["getMetadataByCallId", "streamRecordingByCallId"],
});

const app = new Hono<{ Bindings: HttpBindings }>();
// With the path as it came: the URL of the request has its dots resolved already.
app.all("/archive/*", requireUser, ({ req, env }) => proxy(req.raw, env.incoming.url));
serve({ fetch: app.fetch, port: Number(PORT), hostname: "127.0.0.1" }, () =>
  console.log(`http://127.0.0.1:${PORT}`),
);
