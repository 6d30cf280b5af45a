/** The failing server as a stdio process: `plain`, `guarded`, `guarded-stdio` or `guarded-v1`, hand-wired or served. */

import { guardStdio } from '@mayday/server/stdio';
import type { McpServer } from '@modelcontextprotocol/server';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { failingServer } from './fixture.ts';

const [how = 'guarded', wiring = 'connect'] = process.argv.slice(2);
const options = { deadlineMs: 300 };
const create = (): McpServer => failingServer(how === 'plain' ? false : options);
const own = how === 'guarded-stdio' ? guardStdio({ maxLineBytes: 64 * 1024 }) : undefined;

if (how === 'guarded-v1') await serveV1();
else if (wiring === 'serve') serveStdio(create, own === undefined ? {} : { transport: own });
else await create().connect(own ?? new StdioServerTransport());

/** The other SDK is loaded by whoever asks for it: tests start many of these. */
async function serveV1(): Promise<void> {
  const { StdioServerTransport } = await import('@modelcontextprotocol/sdk/server/stdio.js');
  const { failingV1 } = await import('./v1-fixture.ts');
  await failingV1(options).connect(new StdioServerTransport());
}
