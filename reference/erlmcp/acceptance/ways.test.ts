import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SLOW } from '../../acceptance/program.ts';
import {
  freshFolder,
  type HttpReference,
  referenceArguments,
  serveHttp,
} from '../../acceptance/reference.ts';
import { closeAll, connectEveryWay, WAYS, type Way } from '../../acceptance/six-ways.ts';
import { type Channel, callTool, type Wire } from '../../acceptance/wire.ts';

const folder = freshFolder();
const flags = ['--rate-limit', '100000', '--tool-timeout-ms', '400'];
/** The document knows the revision with a handshake only. */
const HERE = WAYS.filter((way) => !way.includes('stateless'));
let server: HttpReference;
let channels: Map<Way, Channel>;
beforeAll(async () => {
  server = await serveHttp('erlmcp', folder.path, flags);
  const args = referenceArguments('erlmcp', ['--data', folder.path, ...flags]);
  channels = await connectEveryWay(server.mcp, args, { ways: HERE });
}, SLOW);
afterAll(async () => {
  await closeAll(channels);
  await server.stop();
  folder.remove();
});

const CASES: [string, string, Wire, Wire][] = [
  [
    'ER-25',
    'tools/call',
    { name: 'nonexistent_tool', arguments: {} },
    { code: -32002, message: 'Tool not found', data: { tool: 'nonexistent_tool' } },
  ],
  [
    'ER-24',
    'resources/read',
    { uri: 'note://nonexistent' },
    { code: -32001, message: 'Resource not found', data: { uri: 'note://nonexistent' } },
  ],
  [
    'ER-26',
    'prompts/get',
    { name: 'nonexistent_prompt' },
    { code: -32003, message: 'Prompt not found', data: { prompt: 'nonexistent_prompt' } },
  ],
  [
    'ER-47',
    'tools/call',
    { name: 'calculate', arguments: { a: 1 } },
    {
      code: -32034,
      message: 'Invalid tool arguments',
      data: { tool: 'calculate', details: 'Missing required parameter: b' },
    },
  ],
  [
    'ER-44',
    'tools/call',
    { name: 'calculate', arguments: { a: 1, b: 0, operation: 'divide' } },
    {
      code: -32031,
      message: 'Tool execution failed',
      data: { tool: 'calculate', reason: 'division_by_zero' },
    },
  ],
  [
    'ER-45',
    'tools/call',
    { name: 'wait', arguments: { ms: 5000 } },
    { code: -32032, message: 'Tool execution timeout', data: { tool: 'wait', timeout_ms: 400 } },
  ],
  [
    'ER-48',
    'prompts/get',
    { name: 'write_essay' },
    { code: -32043, message: 'Prompt argument missing', data: { prompt: 'write_essay', argument: 'topic' } },
  ],
  [
    'ER-59',
    'tools/list',
    { cursor: 'invalid_cursor_string' },
    { code: -32071, message: 'Invalid cursor', data: { cursor: 'invalid_cursor_string' } },
  ],
];

describe.each(HERE)('%s', (way) => {
  it.each(CASES)(
    '%s ER-1 ER-2: %s with %j is what the document shows',
    async (_id, method, params, error) => {
      const answer = await channels.get(way)?.request(method, params);
      expect(answer).not.toHaveProperty('result');
      expect(answer?.error).toEqual(error);
    },
  );

  it('ER-77: a success is a result', async () => {
    const answer = await callTool(channels.get(way) as Channel, 'calculate', { a: 1, b: 2 });
    expect(answer.result?.content).toEqual([{ type: 'text', text: '3' }]);
  });
});
