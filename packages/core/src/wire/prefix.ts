/** Prefixes that the SDKs put in front of a message. */

const PREFIX = /^\s*(?:Error: )?(?:McpError: |ProtocolError: )?MCP error (-?\d{1,9}): ?/;

/** A message without its prefixes, and the innermost number they named. */
export interface Stripped {
  readonly text: string;
  readonly code?: number;
}

/** M, E, P or white space: nothing else can start a prefix, and most messages end here. */
export function mayBePrefixed(text: string): boolean {
  const first = text.charCodeAt(0);
  return first === 77 || first === 69 || first === 80 || first <= 32;
}

/** Removes every "MCP error N:" that SDKs put in front, and keeps the innermost number. */
export function stripPrefix(text: string): Stripped {
  if (!mayBePrefixed(text)) return { text };
  let rest = text;
  let code: number | undefined;
  for (let match = PREFIX.exec(rest); match !== null; match = PREFIX.exec(rest)) {
    code = Number(match[1]);
    rest = rest.slice(match[0].length);
  }
  return code === undefined ? { text: rest } : { text: rest, code };
}
