/**
 * What reading a failing response costs, against the official SDK's own schema parse of the same message, and
 * how the cost grows with size and nesting. `npm run bench:read-cost`
 */
import { read } from '@mayday/core';
import { CallToolResultSchema, JSONRPCMessageSchema } from '@modelcontextprotocol/core';
import { race } from './measure.ts';

/** Numbers the messages that are said once. */
let asked = 0;

const response = (error: object) => ({ jsonrpc: '2.0', id: 1, error });
const result = (body: object) => ({ jsonrpc: '2.0', id: 1, result: body });

/** Each time another message, or the same. */
type Say = object | (() => object);

const WIRES: { readonly [name: string]: Say } = {
  'unknown tool, -32602': response({ code: -32602, message: 'Tool nope not found' }),
  'erlmcp -32010': response({
    code: -32010,
    message: 'Rate limit exceeded',
    data: { limit: 100, window: 60, retry_after: 5 },
  }),
  'closient -32200': result({
    error: {
      code: -32200,
      message: 'Not Found',
      data: {
        type: 'https://closient.com/docs/errors/not_found',
        title: 'Not Found',
        status: 404,
        detail: 'No product',
        error_code: 'not_found',
        retryable: false,
        timestamp: '2026-04-26T02:34:56+00:00',
      },
    },
  }),
  'platica 404': result({
    isError: true,
    content: [{ type: 'text', text: '{"code":404,"error":"Client not found"}' }],
    structuredContent: { code: 404, error: 'Client not found' },
  }),
  'prose, isError, said again': prose('Request failed with status code 429'),
  'prose, isError, never said before': () => prose(`Request ${++asked} failed with status code 429`),
};

function prose(text: string): object {
  return result({ isError: true, content: [{ type: 'text', text }] });
}

/** Of what the SDK's parse takes: an answer with a code, and one that has to be read like a person's. */
const GOAL = 0.5;
const GOAL_OF_PROSE = 1;

console.log('read against the SDK’s schema parse of the same message (interleaved rounds, lower quartile)\n');
console.log('| message | read | SDK parse | ratio | goal |\n|---|--:|--:|--:|--:|');
for (const [name, say] of Object.entries(WIRES)) {
  const wireOf = typeof say === 'function' ? (say as () => object) : () => say;
  const [ours, theirs] = race([
    { name: 'read', run: () => read(wireOf()) },
    { name: 'sdk', run: () => sdkParse(wireOf()) },
  ]);
  const ratio = (ours?.ns ?? 0) / (theirs?.ns ?? 1);
  const goal = name.startsWith('prose') ? GOAL_OF_PROSE : GOAL;
  console.log(
    `| ${name} | ${micro(ours?.ns)} | ${micro(theirs?.ns)} | ${ratio.toFixed(2)} | ≤ ${goal.toFixed(2)} |`,
  );
}

console.log('\ngrowth: time per megabyte of message text, and per level of nesting\n');
console.log('| input | read | per unit |\n|---|--:|--:|');
for (const megabytes of [0.1, 1, 10]) {
  const wire = response({ code: -32603, message: 'x '.repeat(megabytes * 500_000) });
  const [timing] = race([{ name: 'size', run: () => read(wire) }], { rounds: 5 });
  console.log(
    `| ${megabytes} MB message | ${micro(timing?.ns)} | ${micro((timing?.ns ?? 0) / megabytes)} per MB |`,
  );
}
for (const depth of [1000, 10_000, 100_000]) {
  const data = JSON.parse(`${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`);
  const wire = response({ code: -32001, message: 'odd', data });
  const [timing] = race([{ name: 'depth', run: () => read(wire) }], { rounds: 5 });
  console.log(
    `| ${depth} levels | ${micro(timing?.ns)} | ${((timing?.ns ?? 0) / depth).toFixed(3)} ns per level |`,
  );
}

/** What the SDK's client does with a message: the envelope, then the result of the tool. */
function sdkParse(wire: object): unknown {
  const message = JSONRPCMessageSchema.parse(wire);
  return 'result' in message ? CallToolResultSchema.parse(message.result) : message;
}

function micro(ns: number | undefined): string {
  return `${((ns ?? 0) / 1000).toFixed(2)} µs`;
}
