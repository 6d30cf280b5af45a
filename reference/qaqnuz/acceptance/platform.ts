import { type Backend, plantBackend, type Reply } from '../../acceptance/backend.ts';
import { Endpoint } from '../../acceptance/http.ts';
import {
  command,
  commandOutput,
  freshFolder,
  type HttpReference,
  serveHttp,
} from '../../acceptance/reference.ts';
import type { Message, Wire } from '../../acceptance/wire.ts';

/** A running platform, its operator, and a stock provider that does what it is told. */
export interface Platform {
  readonly server: HttpReference;
  readonly folder: string;
  readonly provider: Backend;
  /** Runs an operator's command that must succeed. */
  operator(...args: readonly string[]): Promise<string>;
  /** A new key of a brand: its id and itself. */
  issue(brand: string, scopes: string, days?: string): Promise<{ readonly id: string; readonly key: string }>;
  /** Somebody who sends this header, or none. */
  caller(authorization?: string): Endpoint;
  /** The newest envelopes, oldest first. */
  envelopes(count: number): Promise<Wire[]>;
  close(): Promise<void>;
}

/** Everything a key can be allowed. */
export const ALL_SCOPES = 'contacts.read,payments.refund,stock.read';

/** Opens a platform with the brand acme. */
export async function openPlatform(flags: readonly string[] = []): Promise<Platform> {
  const folder = freshFolder();
  const provider = await plantBackend((): Reply => ({ body: '{}' }));
  const data = ['--data', folder.path];
  const operator = (...args: readonly string[]): Promise<string> =>
    commandOutput('qaqnuz', ['operator', ...args, ...data]);
  await operator('add-brand', 'acme');
  const server = await serveHttp('qaqnuz', folder.path, ['--provider', provider.url, ...flags]);
  return {
    server,
    folder: folder.path,
    provider,
    operator,
    issue: async (brand, scopes, days) => {
      const printed = await operator('issue-key', brand, scopes, ...(days === undefined ? [] : [days]));
      const [id = '', key = ''] = printed.split(' ');
      return { id, key };
    },
    caller: (authorization) => new Endpoint(server.mcp, authorization === undefined ? {} : { authorization }),
    envelopes: async (count) => {
      const printed = await operator('log', String(count));
      return printed.split('\n').map((line) => JSON.parse(line).envelope);
    },
    close: async () => {
      await Promise.all([server.stop(), provider.close()]);
      folder.remove();
    },
  };
}

/** The only text of an answer. */
export const textOf = (answer: Message): Wire => answer.result?.content?.[0]?.text;

/** A failure as it crosses the wire: one text, and that it is an error. */
export const failure = (text: Wire): Wire => ({ content: [{ type: 'text', text }], isError: true });

export { command };
