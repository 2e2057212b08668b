// The only translator: it converts any thrown value to an error of the catalogue.
import { isFault, StoreFault } from "@call-media/store";
import {
  internalError,
  searchRefused,
  searchTooBroad,
  ServiceError,
  unavailable,
} from "./errors.ts";

export function toServiceError(error: unknown): ServiceError {
  if (error instanceof ServiceError) return error;
  if (isFault(error, "busy")) return searchRefused(error);
  if (isFault(error, "broad")) return searchTooBroad(error);
  const isOfArchive = error instanceof StoreFault || isOfTooManyFiles(error);
  return isOfArchive ? unavailable(error) : internalError(error);
}

// The process has reached its limit of open files; the archive is intact nevertheless.
function isOfTooManyFiles(error: unknown): boolean {
  return (
    error instanceof Error && "code" in error && ["EMFILE", "ENFILE"].includes(String(error.code))
  );
}
