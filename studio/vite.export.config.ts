import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

/** The page of an exported run: one script and one sheet, which the server puts into a file with the run's events. */
export default defineConfig({
  plugins: [react()],
  publicDir: false,
  build: {
    outDir: "../dist/studio/export",
    emptyOutDir: true,
    cssCodeSplit: false,
    rolldownOptions: {
      input: "src/export/main.tsx",
      output: { entryFileNames: "export.js", assetFileNames: "export.[ext]", format: "iife" },
    },
  },
});
