import { type Backend, plantBackend, type Reply } from '../../acceptance/backend.ts';
import { Endpoint } from '../../acceptance/http.ts';
import { commandOutput, freshFolder, type HttpReference, serveHttp } from '../../acceptance/reference.ts';
import type { Message, Wire } from '../../acceptance/wire.ts';

/** A bridge in front of a planted REST interface. */
export interface Bridge {
  readonly server: HttpReference;
  readonly backend: Backend;
  readonly endpoint: Endpoint;
  readonly folder: string;
  close(): Promise<void>;
}

/** A key of the documented form; a planted interface believes anything. */
export const KEY = 'pl_key_acceptance_0123456789abcdef';

/** Opens a bridge to an interface that does what it is told. */
export async function openBridge(reply: () => Reply, preload?: string): Promise<Bridge> {
  const folder = freshFolder();
  const backend = await plantBackend(reply);
  const server = await serveHttp('platica', folder.path, ['--api-url', backend.url], { preload });
  return {
    server,
    backend,
    folder: folder.path,
    endpoint: new Endpoint(server.mcp, { authorization: `Bearer ${KEY}` }),
    close: async () => {
      await Promise.all([server.stop(), backend.close()]);
      folder.remove();
    },
  };
}

/** Prints a key that opens these workspaces. */
export function mintKey(folder: string, workspaces: string): Promise<string> {
  return commandOutput('platica', ['--mint-key', workspaces, '--data', folder]);
}

/** A failure of the interface as it crosses: the body, raw and parsed. */
export function passed(body: string): Wire {
  return { isError: true, content: [{ type: 'text', text: body }], structuredContent: JSON.parse(body) };
}

/** The members that the document gives a protocol error. */
export function protocolError(answer: Message | undefined): Wire {
  return { keys: Object.keys(answer?.error ?? {}).sort(), code: answer?.error?.code };
}

/** The same, expected. */
export const coded = (code: number): Wire => ({ keys: ['code', 'message'], code });

/** The words of -32001. */
export const UNAUTHORIZED = {
  code: -32001,
  message: 'Unauthorized: missing or invalid Authorization header',
};
