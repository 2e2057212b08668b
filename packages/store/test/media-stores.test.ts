// Recordings in a bucket keep the port, alone and with records in a folder.
import { createMediaFolder } from "../src/media/media-folder.ts";
import { openBucket } from "../src/media/s3/bucket-store.ts";
import { createMedia } from "../src/memory/media.ts";
import { describeMediaStore } from "../src/suite/index.ts";
import { createFolder } from "./support/archives.ts";
import { KEYS, startS3 } from "@call-media/test-setup/s3-server";

describeMediaStore({
  place: "a bucket",
  create: async () => openBucket((await startS3()).address, KEYS),
});

describeMediaStore({
  place: "a folder",
  create: async () => createMediaFolder(await createFolder()),
});

describeMediaStore({ place: "memory", create: async () => createMedia() });
