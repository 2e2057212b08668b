// A service that searches as one of many deployments might, and whose records may change while it is read.
import { createClient, type Profile } from "../../src/index.ts";
import { type Asked, openService, sendFailure, sendJson } from "../service.ts";

export interface Row {
  readonly call_id: string;
  readonly datetime: string;
}

export interface Deployment {
  rows: Row[];
  firstPage?: 0 | 1;
  /** What is done with page 0 where pages begin with 1. */
  pageZero?: "refused" | "refused in the body" | "empty" | "first";
  /** The status; 200 has no records. */
  pastTheEnd?: number | "refused in the body" | "the last page";
  counts?: "all" | "page" | "none";
  pageSize?: number;
  /** Runs before each page, to change the rows. */
  beforePage?: (pageIndex: number) => void;
}

export const day = (number: number) => `2026-01-${String(number).padStart(2, "0")}`;
export const toRows = (count: number, prefix = "c"): Row[] =>
  Array.from({ length: count }, (_, index) => ({
    call_id: `${prefix}${index}`,
    datetime: `${day(28 - Math.floor((index * 28) / count))}T09:00:00Z`,
  }));
export const idsOf = (rows: readonly { call_id: string | null }[]) =>
  rows.map(({ call_id }) => call_id);
export const pageOf = ({ url }: Asked) =>
  Number(new URL(url, "http://x").searchParams.get("pageIndex"));

/** Some services refuse with isError alone. */
const toStatus = (refused: number | string) =>
  typeof refused === "number" ? refused : refused === "refused" ? 400 : 200;

/** A service of that kind over real HTTP. */
export async function openDeployment(deployment: Deployment) {
  const { firstPage = 0, pageZero = "refused", pastTheEnd = 200, counts = "none" } = deployment;
  const { pageSize = 50 } = deployment;
  const service = await openService((response, asked) => {
    const query = new URL(asked.url, "http://x").searchParams;
    const pageIndex = pageOf(asked);
    deployment.beforePage?.(pageIndex);
    if (pageIndex < firstPage && pageZero.startsWith("refused"))
      return sendFailure(response, toStatus(pageZero), "pageIndex must be 1 or more");
    const [start, end] = [query.get("startDate") ?? "", query.get("endDate") ?? ""];
    const found = deployment.rows.filter(
      ({ datetime }) => datetime.slice(0, 10) >= start && datetime.slice(0, 10) <= end,
    );
    const index = Math.max(0, pageIndex - firstPage);
    const isEmpty = pageIndex < firstPage && pageZero === "empty";
    const last = Math.max(0, Math.ceil(found.length / pageSize) - 1);
    const at = pastTheEnd === "the last page" ? Math.min(index, last) : index;
    const data = isEmpty ? [] : found.slice(at * pageSize, (at + 1) * pageSize);
    if (data.length === 0 && at > 0 && pastTheEnd !== 200)
      return sendFailure(response, toStatus(pastTheEnd), "There is no such page");
    const recordCount = counts === "all" ? found.length : data.length;
    const count = counts === "none" ? {} : { recordCount };
    return sendJson(response, 200, { isError: false, errorMessage: null, data, ...count });
  });
  const connect = (profile: Profile = {}) =>
    createClient({ baseUrl: service.baseUrl, apiKey: "key-1", profile, random: () => 0 });
  return { ...service, connect };
}

/** Every record of the deployment. */
export const range = { startDate: day(1), endDate: day(28), filter: {} };
