// The access log's port, by the path that it had.
export * from "./port/access-log.ts";
