import type { Drawing } from "./graph-data.ts";
import { layOutDrawing } from "./lay-out-drawing.ts";

/** Large crews take a few hundred milliseconds, which would stop the page. */
self.onmessage = ({ data }: MessageEvent<Drawing>) => self.postMessage(layOutDrawing(data));
