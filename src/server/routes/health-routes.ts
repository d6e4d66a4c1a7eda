import { z } from "zod";
import { defineRoute, type Route } from "../api-route.ts";
import { anyObject } from "../schemas.ts";

const standing = z.strictObject({ status: z.string() });

/** Whether the server is alive and ready, and what it tells of itself. */
export const healthRoutes: readonly Route[] = [
  defineRoute({
    method: "GET",
    path: "/healthz",
    scope: "public",
    summary: "Whether the process is alive",
    result: standing,
    handle: () => ({ json: { status: "ok" } }),
  }),
  defineRoute({
    method: "GET",
    path: "/readyz",
    scope: "public",
    summary: "Whether the server takes runs: its store can be written, and it is not stopping",
    result: standing,
    async handle({ service }) {
      if (service.supervisor.isStopping) return { json: { status: "stopping" }, status: 503 };
      const version = (await service.store.get("server", "ready"))?.version ?? 0;
      // Another server may have written at the same moment, which proves as much.
      await service.store.put("server", "ready", { at: Date.now() }, version);
      return { json: { status: "ready" } };
    },
  }),
  defineRoute({
    method: "GET",
    path: "/openapi.json",
    scope: "public",
    summary: "This API as an OpenAPI 3.1 document",
    result: anyObject,
    handle: ({ service }) => ({ json: service.describe() }),
  }),
  defineRoute({
    method: "GET",
    path: "/metrics",
    scope: "admin",
    summary: "Figures for Prometheus",
    produces: ["text/plain"],
    async handle({ service }) {
      return { text: await service.metrics.text(), type: "text/plain; version=0.0.4; charset=utf-8" };
    },
  }),
];
