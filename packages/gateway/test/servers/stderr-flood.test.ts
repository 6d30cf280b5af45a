/** A server that writes without end to its standard error does not fill the log. */
import { afterEach, expect, it } from 'vitest';
import { call, cleanUp, open, post, until } from '../tools.ts';

afterEach(cleanUp);

const FLOOD = `
for (let i = 0; i < 5000; i++) console.error('line ' + i);
process.stdin.on('data', () => setTimeout(() => process.exit(3), 500));
`;

it('so many lines in a minute', async () => {
  const gateway = await open({
    upstreams: { a: { command: process.execPath, args: ['-e', FLOOD], retry: { attempts: 1 } } },
  });
  await post(`${gateway.url}/a/mcp`, call('tools/list'));
  const about = 'upstream=a stderr: more than 200 lines in a minute; the rest of them is left out';
  await until(() => gateway.logs.includes(about));
  expect(gateway.logs.filter((line) => line.includes('stderr: line'))).toHaveLength(200);
});
