// Which recording of a call is meant: its number, from 1.
import { routes } from "@call-media/api";

/** The greatest that the contract takes. No call has so many recordings. */
export const MAX_PART = Number(
  routes
    .find(({ operationId }) => operationId === "streamRecordingByCallId")
    ?.parameters.find(({ name }) => name === "part")?.schema.maximum,
);
