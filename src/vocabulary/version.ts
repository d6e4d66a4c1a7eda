/** The version of this package, as its manifest has it; a test compares the two. */
export const version = "0.1.0";
