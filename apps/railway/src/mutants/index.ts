// All mutants of the railway: 14 of a single response, 26 between responses.
import type { Drift } from "@call-media/test-setup/model-service";
import type { Railway } from "../railway.ts";
import { access } from "./access.ts";
import { lists } from "./lists.ts";
import { responses } from "./responses.ts";
import { writes } from "./writes.ts";

export const kinds: readonly (readonly Drift<Railway>[])[] = [responses, lists, writes, access];

export const mutants = kinds.flat();
