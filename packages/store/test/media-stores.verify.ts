// Recordings in a bucket that keeps versions of them keep the port.
import { KEYS, startS3 } from "@call-media/test-setup/s3-server";
import { openBucket } from "../src/media/s3/bucket-store.ts";
import { describeMediaStore } from "../src/suite/index.ts";

describeMediaStore({
  place: "a bucket with versions",
  create: async () => {
    const server = await startS3();
    server.settings.set("versioning", "<Versioning><Status>Enabled</Status></Versioning>");
    return openBucket(server.address, KEYS);
  },
});
