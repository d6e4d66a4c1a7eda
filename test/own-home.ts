import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Runs of one test file are kept together, and away from everybody's. In a variable, since modules outlive a test file. */
process.env["BATON_TESTS_HOME"] = mkdtempSync(join(tmpdir(), "baton-home-"));
