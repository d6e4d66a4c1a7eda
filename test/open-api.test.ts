import { Validator } from "@seriousme/openapi-schema-validator";
import { describe, expect, it } from "vitest";
import { describeApi } from "../src/server/open-api.ts";
import { routes } from "../src/server/routes.ts";
import { openServer } from "./open-server.ts";

describe("the OpenAPI document", () => {
  it("is valid", async () => {
    const document = JSON.parse(JSON.stringify(describeApi(routes, "https://crews.example.com")));
    const checked = await new Validator().validate(document);
    expect(checked).toEqual({ valid: true });
    expect(document.openapi).toBe("3.1.0");
  });

  it("has every route, each with a name of its own", async () => {
    const { ask } = await openServer();
    const { paths } = (await (await ask("/openapi.json", { token: "" })).json()) as {
      readonly paths: Record<string, Record<string, { readonly operationId: string }>>;
    };
    const described = Object.values(paths).flatMap((methods) => Object.values(methods));
    expect(described).toHaveLength(routes.length);
    expect(new Set(described.map(({ operationId }) => operationId)).size).toBe(routes.length);
  });
});
