// The port, by the path that it had.
export * from "./port/index.ts";
