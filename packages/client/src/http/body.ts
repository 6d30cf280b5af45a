/** Bodies of bounded size. */

/** The text of a body, or as much of it as fits; `whole` is false when it was cut. */
export async function boundedText(
  response: Response,
  maxBytes: number,
): Promise<{ readonly text: string; readonly whole: boolean }> {
  if (response.body === null) return { text: '', whole: true };
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return { text: text + decoder.decode(), whole: true };
    bytes += value.byteLength;
    if (bytes > maxBytes) {
      await discard(reader);
      return { text, whole: false };
    }
    text += decoder.decode(value, { stream: true });
  }
}

/** Lets go of a body that nobody reads, so that its connection is free. */
export async function discard(body: { cancel(): Promise<void> } | null): Promise<void> {
  try {
    await body?.cancel();
  } catch {
    // It is gone already, which is what was wanted.
  }
}
