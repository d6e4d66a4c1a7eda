/** What a token may do. `admin` may do everything. */
export type Scope = "run" | "read" | "answer" | "act_as" | "admin";
