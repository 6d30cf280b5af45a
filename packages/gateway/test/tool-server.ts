/** A server over HTTP with the tools that a test gives it, which tells what it was asked. */
import { json, upstream } from './tools.ts';

/** A tool as it is listed. */
export interface ListedTool {
  readonly name: string;
  readonly [key: string]: unknown;
}

interface Asked {
  readonly id?: number | string;
  readonly method?: string;
  readonly params?: { readonly name?: string; readonly arguments?: unknown };
}

/** Tools by name alone. */
export function toolsNamed(...names: readonly string[]): readonly ListedTool[] {
  return names.map((name) => ({ name, description: `does ${name}`, inputSchema: { type: 'object' } }));
}

/** Calls of `fails…` fail, all others answer with the name and the arguments that came. */
export async function toolServer(tools: () => readonly ListedTool[]): Promise<{
  readonly url: string;
  readonly calls: () => readonly unknown[];
  readonly lists: () => number;
  /** All that came, to the letter. */
  readonly bodies: () => readonly string[];
}> {
  const { url, seen } = await upstream((body, response) => {
    const { id, method, params } = JSON.parse(body || '{}') as Asked;
    const answer = (result: object): void => json(response, 200, { jsonrpc: '2.0', id, result });
    if (id === undefined) response.writeHead(body === '' ? 405 : 202).end();
    else if (method === 'initialize')
      answer({
        protocolVersion: '2025-11-25',
        capabilities: { tools: {}, prompts: {} },
        serverInfo: { name: 's', version: '1' },
      });
    else if (method === 'tools/list') answer({ tools: tools() });
    else if (method !== 'tools/call')
      json(response, 200, { jsonrpc: '2.0', id, error: { code: -32601, message: 'Method not found' } });
    else if (!tools().some(({ name }) => name === params?.name))
      json(response, 200, {
        jsonrpc: '2.0',
        id,
        error: { code: -32602, message: `Tool ${params?.name} not found` },
      });
    else if (params?.name?.startsWith('fails') === true)
      answer({ isError: true, content: [{ type: 'text', text: `Tool ${params.name} is tired` }] });
    else answer({ content: [{ type: 'text', text: JSON.stringify([params?.name, params?.arguments]) }] });
  });
  const asked = (): readonly Asked[] => seen.map(({ body }) => JSON.parse(body || '{}') as Asked);
  return {
    url,
    calls: () => asked().flatMap(({ method, params }) => (method === 'tools/call' ? [params] : [])),
    bodies: () => seen.map(({ body }) => body),
    lists: () => asked().filter(({ method }) => method === 'tools/list').length,
  };
}

/** The names in a list. */
export function namesIn(result: { readonly [key: string]: unknown } | undefined): readonly string[] {
  return ((result?.['tools'] ?? []) as ListedTool[]).map(({ name }) => name);
}
