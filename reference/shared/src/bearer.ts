const BEARER = /^bearer +(\S+)$/i;

/** The token of an `Authorization: Bearer …` header. */
export function bearerToken(header: string | null | undefined): string | undefined {
  return BEARER.exec(header ?? '')?.[1];
}
