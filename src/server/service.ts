import type { Store } from "../journal/store.ts";
import type { RunStatisticsReader } from "../library/run-statistics.ts";
import type { EventStreams } from "./event-streams.ts";
import type { McpHttp } from "./mcp/mcp-request.ts";
import type { Metrics } from "./metrics.ts";
import type { RunChannels } from "./run-channels.ts";
import type { ServedCrews } from "./served-crews.ts";
import type { StoreChanges } from "./store-changes.ts";
import type { Studio } from "./studio/studio.ts";
import type { Supervisor } from "./supervisor.ts";
import type { Spending } from "./token-spending.ts";

/** What routes act on. */
export interface Service {
  readonly store: Store;
  readonly crews: ServedCrews;
  readonly supervisor: Supervisor;
  readonly channels: RunChannels;
  readonly streams: EventStreams;
  readonly metrics: Metrics;
  /** What this process writes to the store. */
  readonly changes: StoreChanges;
  readonly spending: Spending;
  readonly statistics: RunStatisticsReader;
  /** The crew whose A2A card is that of the server; undefined if there are several and none is named. */
  readonly a2aCrew: string | undefined;
  /** Hosts that push notifications may go to, besides public ones. */
  readonly pushAllow: readonly string[];
  /** Environment variables, for redaction. */
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** The face for clients of the Model Context Protocol, made when the first one comes. */
  readonly mcp: () => Promise<McpHttp>;
  /** The studio, where the server has it. */
  readonly studio: Studio | undefined;
  /** The OpenAPI document. */
  readonly describe: () => unknown;
}
