import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

/** The page is built into the published package, and served by `baton studio` below /studio/. */
const server = {
  target: process.env["BATON_URL"] ?? "http://127.0.0.1:4500",
  changeOrigin: true,
  headers: { authorization: `Bearer ${process.env["BATON_TOKEN"] ?? ""}` },
};

export default defineConfig({
  base: "/studio/",
  plugins: [react()],
  worker: { format: "es" },
  build: {
    outDir: "../dist/studio",
    emptyOutDir: true,
    // The server's CSP allows no inline script and no data: URL.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  server: {
    proxy: { "/v1": server, "/studio/session": server },
  },
});
