/** A part of an address as it reads; as it came, where it is not encoded: a percent sign may stand for itself. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
