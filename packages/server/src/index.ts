// The entry point of the server as a library: the service as a listener, and a socket for it.
export { createApplication, createApiKey } from "./access/issue.ts";
export type { Account } from "./http/exchange.ts";
export { CONNECTION_LIMITS, type ConnectionLimits } from "./http/limits.ts";
export {
  type Certificate,
  listen,
  type Listening,
  ListenError,
  type ListenOptions,
} from "./listen.ts";
export type { Listener } from "./http/unreadable.ts";
export { loadPages } from "./documentation.ts";
export type { Page } from "./pages.ts";
export { createListener, type ListenerOptions } from "./listener.ts";
