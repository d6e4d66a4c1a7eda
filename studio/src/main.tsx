import "./styles/tokens.css";
import "./styles/base.css";
import "./styles/parts.css";
import "./styles/shell.css";
import "./styles/graph.css";
import "./styles/run.css";
import "./styles/timeline.css";
import "./styles/pages.css";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { Entrance } from "./shell/entrance.tsx";

const place = document.getElementById("studio");
if (place !== null)
  createRoot(place).render(
    <StrictMode>
      <Entrance />
    </StrictMode>,
  );
