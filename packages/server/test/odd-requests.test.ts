/** Every request that has an id gets exactly one answer, whatever shape its params have. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { runChild } from './wire.ts';

const file = new URL('./stdio-server.ts', import.meta.url);
const REQUESTS = 120;

const METHODS = [
  'tools/call',
  'tools/list',
  'resources/read',
  'resources/list',
  'resources/subscribe',
  'prompts/get',
  'completion/complete',
  'logging/setLevel',
  'ping',
  'initialize',
  'acme/fine',
  'tasks/get',
  'nobody/knows',
  '',
];

const odd = fc.oneof(
  fc.constantFrom<unknown>(null, true, 5, 1.5, 1e300, '', 'fine', [], {}, [[]], { a: null }),
  fc.jsonValue({ maxDepth: 1 }),
);

const META_KEYS = [
  'progressToken',
  'io.modelcontextprotocol/related-task',
  'io.modelcontextprotocol/clientCapabilities',
  'io.modelcontextprotocol/clientInfo',
  'io.modelcontextprotocol/logLevel',
  'dev.mayday/dialect',
  'dev.mayday/idempotency-key',
  'traceparent',
];

const meta = fc.oneof(odd, fc.dictionary(fc.constantFrom(...META_KEYS), odd, { maxKeys: 3 }));
const params = fc.oneof(
  odd,
  fc.record(
    {
      _meta: meta,
      name: odd,
      arguments: odd,
      uri: odd,
      cursor: odd,
      task: odd,
      ref: odd,
      level: odd,
      inputResponses: odd,
      requestState: odd,
    },
    { requiredKeys: [] },
  ),
);
const request = fc.record(
  { method: fc.constantFrom(...METHODS), params, result: odd, error: odd, extra: odd },
  { requiredKeys: ['method', 'params'] },
);

it.each([
  ['guarded', 'connect'],
  ['guarded-v1', 'connect'],
  ['guarded-stdio', 'connect'],
  ['guarded-stdio', 'serve'],
])(
  '%s, %s',
  async (how, wiring) => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(request, { minLength: REQUESTS, maxLength: REQUESTS, size: 'max' }),
        async (requests) => {
          const child = runChild(file, [how, wiring]);
          for (const [id, one] of requests.entries()) child.write({ jsonrpc: '2.0', id, ...one });
          child.process.stdin?.end();
          const ids: unknown[] = [];
          for (let answer = await child.next(); answer !== undefined; answer = await child.next())
            if (answer.method === undefined) ids.push(answer.id);
          child.kill();
          expect(requests.filter((_, id) => ids.filter((one) => one === id).length !== 1)).toEqual([]);
        },
      ),
      { numRuns: 1, endOnFailure: true },
    );
  },
  60_000,
);
