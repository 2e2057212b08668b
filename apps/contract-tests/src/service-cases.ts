// The requests for checking the service: for every operation, one for each documented status.
import { routes } from "@call-media/api";
import { toRefusalCases } from "./refusal-cases.ts";
import type { ServiceCase } from "./service-case.ts";
import { toSuccessCases } from "./success-cases.ts";

export const serviceCases: readonly ServiceCase[] = routes.flatMap((route) =>
  [...toSuccessCases(route), ...toRefusalCases(route)].map((entry) => ({
    ...entry,
    operation: route.operationId,
    route,
  })),
);
