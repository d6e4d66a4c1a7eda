/** The code and the message that a promise is refused with. */
export async function refusal(promise: Promise<unknown>): Promise<{ readonly code: string; readonly message: string }> {
  const error = await promise.then(
    () => undefined,
    (thrown: Error & { readonly code?: string }) => thrown,
  );
  return { code: error?.code ?? "none", message: error?.message ?? "" };
}
