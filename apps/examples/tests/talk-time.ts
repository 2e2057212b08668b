// The program under test: how long an agent talked on a day.
import { type CallMediaClient, toSeconds } from "@call-media/client";

export async function sumTalkTime(client: CallMediaClient, agent: string, day: string) {
  const search = client.calls.search({ startDate: day, endDate: day, filter: { agent } });
  let seconds = 0;
  for await (const { talk_time } of search) seconds += toSeconds(talk_time) ?? 0;
  return { seconds, isComplete: search.report.verdict === "complete" };
}
