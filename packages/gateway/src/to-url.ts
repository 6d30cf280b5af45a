/** A URL, or nothing where it is none: `URL.parse`, which the oldest Node that this runs on does not have. */
export function toUrl(said: string, base?: string): URL | undefined {
  return URL.canParse(said, base) ? new URL(said, base) : undefined;
}
