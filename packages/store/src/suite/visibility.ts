import { expect, test } from "vitest";
import { type CallStore, toVisibility, type Visibility } from "../index.ts";
import { call, fill, message, query, toUser } from "./records.ts";
import type { CreateStore } from "./stores.ts";

const RIGHTS = {
  campaigns: "campaign",
  skills: "skill",
  agents: "agent",
  groups: "agent_group",
  media: "media",
  secure01: "security_field_01",
  secure02: "security_field_02",
  secure03: "security_field_03",
  secure04: "security_field_04",
  secure05: "security_field_05",
} as const;

const DATETIME = "2025-05-01T10:00:00Z";

export function describeVisibility(create: CreateStore): void {
  test.each(Object.entries(RIGHTS))(
    "%s restrict %s everywhere, and null is in no list",
    async (right, field) => {
      const store = await create();
      const values = ["Red", "blue ", "green", null];
      await fill(
        store,
        values.map((value, index) =>
          call({
            call_id: String(index),
            ref_id: "R",
            datetime: DATETIME,
            lead_id: "L",
            [field]: value,
          }),
        ),
      );
      const seen = (allowed: string[]) =>
        toVisibility(toUser(1, { [`allow_all_${right}`]: false, [`allowed_${right}`]: allowed }));

      expect(await see(store, toVisibility(toUser(1)))).toEqual(["0", "1", "2", "3"]);
      expect(await see(store, seen(["RED", "Blue"]))).toEqual(["0", "1"]);
      expect(await see(store, seen(["yellow", "null", ""]))).toEqual([]);
      expect(await see(store, seen([]))).toEqual([]);
    },
  );

  test("all rights hold at once, together with the filter", async () => {
    const store = await create();
    const user = toUser(1, {
      allow_all_campaigns: false,
      allowed_campaigns: ["a", "b"],
      allow_all_agents: false,
      allowed_agents: ["x"],
    });
    const pairs = [
      ["a", "x"],
      ["b", "x"],
      ["a", "y"],
      ["c", "x"],
      ["a", null],
      [null, "x"],
    ] as const;
    await fill(
      store,
      pairs.map(([campaign, agent], index) =>
        call({
          call_id: String(index),
          ref_id: "R",
          datetime: DATETIME,
          lead_id: "L",
          campaign,
          agent,
        }),
      ),
    );

    expect(await see(store, toVisibility(user))).toEqual(["0", "1"]);
    const { records, recordCount } = await store.calls.search(
      query({ filter: { campaign: "B" }, visibility: toVisibility(user) }),
    );
    expect(records.map(({ call_id }) => call_id)).toEqual(["1"]);
    expect(recordCount).toBe(1);
  });

  test("rights that were asked with before see values that came since", async () => {
    const store = await create();
    const toCall = (call_id: string, agent: string) =>
      call({ call_id, ref_id: "R", datetime: DATETIME, lead_id: "L", agent });
    const user = toUser(1, { allow_all_agents: false, allowed_agents: ["ann", "bob"] });
    const visibility = toVisibility(user);
    await fill(store, [toCall("0", "ann")]);
    expect(await see(store, visibility)).toEqual(["0"]);

    await fill(store, [toCall("1", "bob"), toCall("2", "eve")]);
    expect(await see(store, visibility)).toEqual(["0", "1"]);
  });

  test("of hundreds of records with one identifier those that are seen are shown, beside some without a value", async () => {
    const store = await create();
    const media = await store.media.put({ name: "a.wav", content: new TextEncoder().encode("a") });
    const recordings = [{ filename: "a.wav", media }];
    const agents = Array.from({ length: 300 }, (_, index) =>
      index % 7 === 0 ? null : `a${index}`,
    );
    await fill(
      store,
      agents.map((agent, index) => {
        const datetime = new Date(Date.UTC(2025, 4, 1, 0, 0, index)).toISOString();
        return call({ call_id: "C", ref_id: "R", datetime, agent }, { recordings });
      }),
    );
    const seeAgents = async (...allowed_agents: string[]) => {
      const visibility = toVisibility(toUser(1, { allow_all_agents: false, allowed_agents }));
      const byCallId = await store.calls.byCallId("C", visibility);
      expect(await store.calls.byReference("R", visibility)).toEqual(byCallId);
      const heard = await store.calls.recordings({ callId: "C" }, visibility);
      expect(await store.calls.recordings({ reference: "R" }, visibility)).toEqual(heard);
      expect(heard).toHaveLength(byCallId.length);
      return byCallId.map(({ agent }) => agent);
    };

    expect(await seeAgents("a299", "a128", "a1", "a7")).toEqual(["a299", "a128", "a1"]);
    expect(await seeAgents("A200")).toEqual(["a200"]);
    expect(await seeAgents("nobody")).toEqual([]);
    const all = agents.filter((agent) => agent !== null);
    expect(await seeAgents(...all)).toEqual(all.toReversed());
  });

  test("a list of thousands of values is no trouble", async () => {
    const store = await create();
    await fill(
      store,
      ["agent 0", "agent 2500", "agent 4999", "agent 5000"].map((agent, index) =>
        call({
          call_id: String(index),
          ref_id: "R",
          datetime: `2025-01-0${4 - index}T00:00:00Z`,
          lead_id: "L",
          agent,
        }),
      ),
    );
    const allowed_agents = Array.from({ length: 5_000 }, (_, index) => `Agent ${index}`);

    expect(
      await see(store, toVisibility(toUser(1, { allow_all_agents: false, allowed_agents }))),
    ).toEqual(["0", "1", "2"]);
  });

  test("what is hidden is missing from recordings and chats as if it were not there", async () => {
    const store = await create();
    const media = await store.media.put({
      name: "a.wav",
      content: new TextEncoder().encode("sound"),
    });
    const recordings = [{ filename: "a.wav", media }];
    await fill(store, [
      call({ call_id: "shown", ref_id: "R", campaign: "a", datetime: DATETIME }, { recordings }),
      call({ call_id: "hidden", ref_id: "R", campaign: "b", datetime: DATETIME }, { recordings }),
      ...["shown", "hidden", "without a record"].map((id) => ({
        kind: "chat" as const,
        record: message(id, id, DATETIME),
      })),
    ]);
    const visibility = toVisibility(
      toUser(1, { allow_all_campaigns: false, allowed_campaigns: ["a"] }),
    );

    expect(await store.calls.recordings({ callId: "shown" }, visibility)).toHaveLength(1);
    expect(await store.calls.recordings({ callId: "hidden" }, visibility)).toEqual([]);
    expect(await store.calls.recordings({ reference: "R" }, visibility)).toHaveLength(1);
    expect(await store.calls.recordings({ reference: "R" }, "everything")).toHaveLength(2);
    expect(await store.calls.chat("shown", visibility)).toHaveLength(1);
    expect(await store.calls.chat("hidden", visibility)).toEqual([]);
    expect(await store.calls.chat("without a record", visibility)).toEqual([]);
    expect(await store.calls.chat("without a record", "everything")).toHaveLength(1);
  });
}

/** The visible ones of the calls 0 to 3, by every way to read a record; all must agree. */
async function see(store: CallStore, visibility: Visibility): Promise<(string | null)[]> {
  const page = await store.calls.search(query({ visibility }));
  const ids = page.records.map(({ call_id }) => call_id);
  const filtered = await store.calls.search(query({ visibility, filter: { lead_id: "l" } }));
  const byReference = await store.calls.byReference("R", visibility);
  const byCallId = await Promise.all(
    ["0", "1", "2", "3"].map((id) => store.calls.byCallId(id, visibility)),
  );
  expect(page.recordCount).toBe(ids.length);
  expect(filtered).toEqual(page);
  expect(byReference).toEqual(page.records);
  expect(byCallId.flat()).toEqual(page.records);
  return ids;
}
