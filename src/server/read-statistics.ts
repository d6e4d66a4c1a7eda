import { z } from "zod";
import type { RunStatistics } from "../library/run-statistics.ts";
import type { Call } from "./api-route.ts";
import { anyObject } from "./schemas.ts";

const DAY_MS = 86_400_000;

export const statisticsQuery = z.strictObject({
  by: z.enum(["day", "crew", "agent"]).default("day"),
  days: z.coerce.number().int().min(1).max(366).default(30),
});

export const statisticsSchema = z
  .strictObject({
    groups: z.array(anyObject),
    runs: z.int(),
    isCut: z.boolean().meta({ description: "Whether there are more runs than were counted." }),
  })
  .meta({ id: "RunStatistics" });

/** Statistics of the runs that began within some days. */
export function readStatistics(
  { service }: Pick<Call, "service">,
  { by, days }: z.output<typeof statisticsQuery>,
  crew: readonly string[],
): Promise<RunStatistics> {
  return service.statistics.read({ by, crew, since: Date.now() - days * DAY_MS });
}
