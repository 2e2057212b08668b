// What the doctor says of a bucket: which permission is missing, by its name, and what a rule of the bucket will do.
import { expect, test } from "vitest";
import { openBucket } from "../src/media/s3/bucket-store.ts";
import { KEYS, startS3 } from "@call-media/test-setup/s3-server";

const VERSIONED = "<Versioning><Status>Enabled</Status></Versioning>";
const CLEANS =
  "<Rule><ID>1</ID><Status>Enabled</Status><Prefix></Prefix><AbortIncompleteMultipartUpload><DaysAfterInitiation>7</DaysAfterInitiation></AbortIncompleteMultipartUpload></Rule>";

async function open(options: { isVersioned?: boolean } = {}) {
  const server = await startS3();
  if (options.isVersioned) server.settings.set("versioning", VERSIONED);
  server.settings.set("lifecycle", `<Rules>${CLEANS}</Rules>`);
  const store = openBucket(server.address, KEYS);
  await store.put({ name: "a.wav", content: Buffer.from("sound") });
  return { server, check: async () => await store.check?.() };
}

test.each([false, true])(
  "a bucket that is well has no findings, and is left as it was but for the ledger's own object: versions %j",
  async (isVersioned) => {
    const { server, check } = await open({ isVersioned });
    expect(await check()).toEqual([]);
    expect([...server.objects.keys()]).toContain("cm/ledger/if-none-match");
    const before = JSON.stringify([...server.objects]);
    expect(await check()).toEqual([]);
    expect(JSON.stringify([...server.objects])).toBe(before);
    expect(server.uploads.size).toBe(0);
  },
);

test.each([
  ["s3:ListBucket", false],
  ["s3:GetObject", false],
  ["s3:PutObject", false],
  ["s3:DeleteObject", false],
  ["s3:AbortMultipartUpload", false],
  ["s3:ListBucketMultipartUploads", false],
  ["s3:GetBucketVersioning", false],
  ["s3:ListBucketVersions", true],
  ["s3:DeleteObjectVersion", true],
])("a missing %s is named, and nothing else", async (action, isVersioned) => {
  const { server, check } = await open({ isVersioned });
  server.faults.denied.add(action);
  expect(await check()).toEqual([
    {
      level: "error",
      what: `s3://recordings/cm refuses ${action} (403 AccessDenied): grant ${action}`,
      where: "s3://recordings/cm",
      todo: "change the policy of the bucket or of the key",
    },
  ]);
});

test("a bucket that would replace an entry of the ledger is refused", async () => {
  const { server, check } = await open();
  server.faults.ignoresIfNoneMatch = true;
  const finding = {
    level: "error",
    what: expect.stringMatching(/^the bucket does not know If-None-Match: of two purges /),
    where: "s3://recordings/cm",
  };
  for (let times = 0; times < 2; times += 1) expect(await check()).toMatchObject([finding]);
});

test("what may not be read of the bucket's own rules is not held against it", async () => {
  const { server, check } = await open();
  server.faults.denied.add("s3:GetLifecycleConfiguration");
  server.faults.denied.add("s3:GetBucketObjectLockConfiguration");
  expect(await check()).toEqual([]);
});

test("a bucket that cannot be reached, or is not there, is one finding", async () => {
  const { server, check } = await open();
  const nowhere = openBucket(server.address.replace("recordings", "nowhere"), KEYS);
  expect(await nowhere.check?.()).toMatchObject([
    { level: "error", what: expect.stringContaining("there is no such bucket") },
  ]);
  await server.stop();
  expect(await check()).toMatchObject([
    {
      level: "error",
      what: expect.stringContaining("cannot be reached"),
      todo: expect.stringContaining("reachable"),
    },
  ]);
});

test.each([
  ["lifecycle", undefined, "no lifecycle rule removes uploads that were cut off"],
  ["lifecycle", CLEANS.replace("Enabled", "Disabled"), "no lifecycle rule removes uploads"],
  ["lifecycle", CLEANS.replace("<Prefix>", "<Prefix>other/"), "no lifecycle rule removes uploads"],
  [
    "lifecycle",
    `${CLEANS}<Rule><Status>Enabled</Status><Filter><Prefix>cm/</Prefix></Filter><Expiration><Days>90</Days></Expiration></Rule>`,
    "a lifecycle rule removes recordings by their age",
  ],
  [
    "object-lock",
    "<Rule><DefaultRetention><Mode>COMPLIANCE</Mode><Days>365</Days></DefaultRetention></Rule>",
    "the bucket locks each recording for 365 days (COMPLIANCE)",
  ],
])("the setting %s %j is a warning", async (name, rules, what) => {
  const { server, check } = await open();
  if (rules === undefined) server.settings.delete(name);
  else server.settings.set(name, `<Configuration>${rules}</Configuration>`);
  expect(await check()).toMatchObject([{ level: "warning", what: expect.stringContaining(what) }]);
});

test("rules that do recordings no harm are no finding", async () => {
  const { server, check } = await open();
  const transition =
    "<Rule><Status>Enabled</Status><Prefix/><Transition><Days>30</Days></Transition><NoncurrentVersionExpiration><NoncurrentDays>30</NoncurrentDays></NoncurrentVersionExpiration><Expiration><ExpiredObjectDeleteMarker>true</ExpiredObjectDeleteMarker></Expiration></Rule>";
  server.settings.set("lifecycle", `<Rules>${CLEANS}${transition}</Rules>`);
  expect(await check()).toEqual([]);
});
