/** The failing server as a stdio process: `plain`, `guarded`, or `guarded-stdio`, hand-wired or served. */
import type { McpServer } from '@modelcontextprotocol/server';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { guardStdio } from '../src/stdio.ts';
import { failingServer } from './fixture.ts';

const [how = 'guarded', wiring = 'connect'] = process.argv.slice(2);
const create = (): McpServer => failingServer(how === 'plain' ? false : { deadlineMs: 300 });
const own = how === 'guarded-stdio' ? guardStdio({ maxLineBytes: 64 * 1024 }) : undefined;

if (wiring === 'serve') serveStdio(create, own === undefined ? {} : { transport: own as never });
else await create().connect((own ?? new StdioServerTransport()) as never);
