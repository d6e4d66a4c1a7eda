/** Environment variables that files refer to. */
export type LoadEnvironment = Readonly<Record<string, string | undefined>>;
