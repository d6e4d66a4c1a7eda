import type { Route } from "./api-route.ts";
import { a2aRoutes } from "./routes/a2a-routes.ts";
import { agUiRoutes } from "./routes/ag-ui-routes.ts";
import { attachmentRoutes } from "./routes/attachment-routes.ts";
import { conversationRoutes } from "./routes/conversation-routes.ts";
import { crewRoutes } from "./routes/crew-routes.ts";
import { fileRoutes } from "./routes/file-routes.ts";
import { healthRoutes } from "./routes/health-routes.ts";
import { insightRoutes } from "./routes/insight-routes.ts";
import { mcpRoutes } from "./routes/mcp-routes.ts";
import { openAiRoutes } from "./routes/openai-routes.ts";
import { runActionRoutes } from "./routes/run-action-routes.ts";
import { runRoutes } from "./routes/run-routes.ts";
import { runViewRoutes } from "./routes/run-view-routes.ts";

/** Every route of the API. The server, the OpenAPI document, docs/reference/api.md and the security tests read this list. */
export const routes: readonly Route[] = [
  ...healthRoutes,
  ...crewRoutes,
  ...runRoutes,
  ...runActionRoutes,
  ...runViewRoutes,
  ...attachmentRoutes,
  ...conversationRoutes,
  ...fileRoutes,
  ...insightRoutes,
  ...openAiRoutes,
  ...a2aRoutes,
  ...agUiRoutes,
  ...mcpRoutes,
];
