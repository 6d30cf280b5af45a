/** docs/gateway.md: log messages and progress of an attempt reach the caller as they come; the first are not held back while tables are built. */
import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, expect, it, type MockInstance, vi } from 'vitest';
import { cleanUp, INITIALIZE, later, open, settingsOf, upstream } from '../../test/tools.ts';
import { startStdioGateway } from '../index.ts';

/** What was taken apart up to now, to be looked at. */
let looked: MockInstance<typeof JSON.parse>;

beforeEach(() => {
  looked = vi.spyOn(JSON, 'parse');
});
afterEach(async () => {
  looked.mockRestore();
  await cleanUp();
});

const isWarm = (): boolean => looked.mock.calls.some(([text]) => text.includes('Step 1 of 2'));

it('over HTTP, before anybody can come', async () => {
  await open({ upstreams: { a: { url: 'http://127.0.0.1:9/mcp' } } });
  expect(isWarm()).toBe(true);
});

it('over standard streams, while the server is asked for the first time', async () => {
  const { url, seen } = await upstream(() => {}); // it thinks
  const [input, output] = [new PassThrough(), new PassThrough()];
  const gateway = await startStdioGateway(settingsOf({ upstreams: { a: { url } } }), {
    input,
    output,
    root: 'a',
  });
  later(() => gateway.close(0));
  expect(isWarm()).toBe(false);
  input.write(`${JSON.stringify(INITIALIZE)}\n`);
  await expect.poll(() => seen.length, { timeout: 10_000 }).toBeGreaterThan(0);
  expect(isWarm()).toBe(true);
});
