/** Telemetry of a gateway over standard input and output, from docs/telemetry.md: `mayday wrap`, with variables alone. */
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { SOON, startCollector } from '../support/collector.ts';
import { ask, call, initialize } from '../support/messages.ts';
import { failing } from '../support/world.ts';

const BIN = fileURLToPath(new URL('../../../cli/bin/mayday.js', import.meta.url));
const PUPPET = fileURLToPath(new URL('../support/stdio-puppet.ts', import.meta.url));

it('spans are of the transport `pipe`, and standard output has messages alone', async () => {
  const collector = await startCollector();
  const child = spawn(process.execPath, [BIN, 'wrap', '--', process.execPath, PUPPET], {
    env: {
      ...process.env,
      NODE_OPTIONS: '',
      ...SOON,
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      PUPPET: '{}',
    },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const said: string[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => said.push(line));
  const requests = [
    initialize(),
    ask('tools/list', {}, 2),
    call('pay', { text: 'hi' }, 3),
    call('pay', { script: [failing('Order 7 does not exist')] }, 4),
  ];
  for (const [index, request] of requests.entries()) {
    child.stdin.write(`${JSON.stringify(request)}\n`);
    await expect.poll(() => said.length, { timeout: 20_000 }).toBe(index + 1);
  }
  const spans = await collector.found(() => true, 4);
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.stdin.end();
  await gone;
  await collector.close();
  expect(spans.map(({ name }) => name)).toEqual([
    'initialize',
    'tools/list',
    'tools/call pay',
    'tools/call pay',
  ]);
  expect(spans.map(({ attributes }) => attributes['network.transport'])).toEqual([
    'pipe',
    'pipe',
    'pipe',
    'pipe',
  ]);
  expect(spans.map(({ attributes }) => 'network.protocol.name' in attributes)).toEqual([
    false,
    false,
    false,
    false,
  ]);
  expect(spans.map(({ attributes }) => attributes['error.type'])).toEqual([
    undefined,
    undefined,
    undefined,
    'tool_error',
  ]);
  expect(said.map((line) => JSON.parse(line).id)).toEqual([1, 2, 3, 4]);
  const metrics = collector.metrics().find(({ name }) => name === 'mcp.server.operation.duration');
  expect(metrics?.points.map(({ attributes }) => attributes['network.transport'])).not.toContain('tcp');
});
