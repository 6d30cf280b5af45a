/** The servers of the demo: the five reference servers, one for each system whose failures Mayday speaks. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { UpstreamFile } from '@mayday/gateway';
import { UsageError } from '../usage-error.ts';

/** One server of the demo, and what its first callers ask. */
interface DemoServer {
  readonly name: 'closient' | 'onx' | 'erlmcp' | 'qaqnuz' | 'platica';
  /** What to run first, in order; the last word that the last one prints is the caller's key. */
  readonly prepare?: readonly (readonly string[])[];
  /** Where the server looks for the key. */
  readonly key?: string;
  readonly calls: readonly {
    readonly tool: string;
    readonly arguments: { readonly [name: string]: unknown };
  }[];
}

/** The table: a server more is a row more. */
export const SERVERS: readonly DemoServer[] = [
  {
    name: 'closient',
    calls: [
      { tool: 'resolve_gtin', arguments: { gtin: '00614141123452' } },
      { tool: 'claim_gtin', arguments: { gtin: '00614141123452' } },
    ],
  },
  {
    name: 'onx',
    calls: [
      { tool: 'get-orders', arguments: { limit: 1 } },
      { tool: 'cancel-order', arguments: { orderId: 'ord_4711' } },
    ],
  },
  {
    name: 'erlmcp',
    calls: [
      { tool: 'calculate', arguments: { a: 2, b: 'two' } },
      { tool: 'nonexistent_tool', arguments: {} },
    ],
  },
  {
    name: 'qaqnuz',
    prepare: [
      ['operator', 'add-brand', 'acme'],
      ['operator', 'issue-key', 'acme', 'contacts.read,payments.refund'],
    ],
    key: 'QAQNUZ_KEY',
    calls: [{ tool: 'issue_refund', arguments: { order: 'o1', amount_cents: 500 } }],
  },
  {
    name: 'platica',
    prepare: [['--mint-key', 'ws_norte']],
    key: 'PLATICA_API_KEY',
    calls: [{ tool: 'get_client', arguments: { id: 'cli_4711', workspace: 'ws_norte' } }],
  },
];

const run = promisify(execFile);
const SOURCE = '--conditions=@mayday/source';

/** Where compiled sources are kept, if they are: the servers are many sources, and start sooner with it. */
const { NODE_COMPILE_CACHE: cache } = process.env;
const COMPILED = cache === undefined ? {} : { NODE_COMPILE_CACHE: cache };

/** Prepares the servers, their data under `folder`, and says how to start them. */
export async function demoUpstreams(
  reference: string,
  folder: string,
): Promise<{ [name: string]: UpstreamFile }> {
  const upstreams = SERVERS.map(async ({ name, prepare = [], key }) => {
    const main = join(reference, name, 'src/main.ts');
    const data = ['--data', join(folder, name)];
    let printed = '';
    for (const words of prepare) {
      printed = (await run(process.execPath, [SOURCE, main, ...words, ...data])).stdout;
    }
    const said = printed.trim().split(/\s+/).at(-1) ?? '';
    const config: UpstreamFile = {
      command: process.execPath,
      args: [SOURCE, main, '--stdio', ...data],
      from: name,
      env: { ...COMPILED, ...(key === undefined ? {} : { [key]: said }) },
    };
    return [name, config] as const;
  });
  return Object.fromEntries(await Promise.all(upstreams));
}

/** They are part of the repository, not of the package: looked for in the folders above this file. */
export function findReference(): string {
  for (let folder = new URL('.', import.meta.url); folder.pathname !== '/'; folder = new URL('..', folder)) {
    const candidate = fileURLToPath(new URL('reference/', folder));
    if (SERVERS.every(({ name }) => existsSync(join(candidate, name, 'src/main.ts')))) return candidate;
  }
  throw new UsageError(
    'the demo needs the reference servers, which are in the repository; run it from a checkout',
  );
}
