/** A JSON-RPC message, as loosely as a pipe sees it. */
export interface Message {
  readonly jsonrpc: '2.0';
  readonly id?: string | number;
  readonly method?: string;
  readonly params?: { readonly [key: string]: unknown };
  readonly result?: unknown;
  readonly error?: unknown;
}

/** What a tool call is about. */
export function orderIn({ params }: Message): string {
  const given = params?.['arguments'] as { readonly order?: unknown } | undefined;
  return String(given?.order);
}
