/** What a process says behind a refusal, or around it, counts until the call is made again: whole, broken or just begun. */
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { call, cleanUp, open, post } from '../tools.ts';
import { executedIn, LOG, NOTHING } from './refusing-servers.ts';

afterEach(cleanUp);

const BUSY = {
  ...{ kind: 'overloaded', message: 'busy', executed: 'no', retryable: true, reaction: 'retryable' },
  retry: { when: 'after_wait', after_ms: 500 },
};

/** A process that refuses in a way of its own. To the second call it answers in a line of its own that it is one. */
function refusing(how: string) {
  const made = join(mkdtempSync(join(tmpdir(), 'gateway-')), 'made');
  const script = `
  const { appendFileSync, closeSync, writeSync } = require('node:fs');
  const write = (text) => writeSync(1, text);
  const LOG = ${JSON.stringify(JSON.stringify(LOG))};
  const NOTHING = ${JSON.stringify(JSON.stringify(NOTHING))};
  let calls = 0;
  require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, method } = JSON.parse(line);
    if (id === undefined) return;
    const said = (result, version = '2.0') => JSON.stringify({ jsonrpc: version, id, result });
    const text = (text) => ({ content: [{ type: 'text', text }] });
    if (method !== 'tools/call') return write(said({ tools: [{ name: 'pay', inputSchema: { type: 'object' } }] }) + '\\n');
    calls += 1;
    appendFileSync(${JSON.stringify(made)}, 'x');
    if (calls > 1) return write('\\n' + said(text('again')) + '\\n');
    const fault = ${JSON.stringify(BUSY)};
    const refused = { ...text('busy'), isError: true, _meta: { 'dev.mayday/fault': fault } };
    const refusal = said(refused);
    const paid = said(text('paid'));
    ${how}
  });`;
  const paid = (): number => readFileSync(made, 'utf8').length;
  return { server: { command: process.execPath, args: ['-e', script] }, paid };
}

const later = (what: string): string => `write(refusal + '\\n'); setTimeout(() => { ${what} }, 100);`;

const WHAT: readonly (readonly [string, string, 'maybe' | 'again'])[] = [
  ['nothing', "write(refusal + '\\n');", 'again'],
  ['nothing about work', "write(refusal + '\\n' + NOTHING + '\\n');", 'again'],
  ['a log of its own', "write(refusal + '\\nListening\\n');", 'again'],
  ['half its answer, in one piece', "write(refusal + '\\n' + paid.slice(0, 40));", 'maybe'],
  ['the first byte of an answer', "write(refusal + '\\n{');", 'maybe'],
  ['the first byte of an answer, later', later("write('{');"), 'maybe'],
  ['half a log', "write(refusal + '\\n' + LOG.slice(0, 60));", 'maybe'],
  ['half a log, later', later('write(LOG.slice(0, 60));'), 'maybe'],
  ['half a text, later', later("write('card cha');"), 'maybe'],
  ['half an answer to nobody, later', later(`write('{"jsonrpc":"2.0","id":991,"resu');`), 'maybe'],
  ['half a result without an id', later(`write('{"jsonrpc":"2.0","result":{"con');`), 'maybe'],
  ['blanks', "write(refusal + '\\n  \\r');", 'again'],
  [
    'a line that is ended in time',
    later("write(NOTHING.slice(0, 9)); write(NOTHING.slice(9) + '\\n');"),
    'again',
  ],
  ['a byte order mark before it', "write('\\uFEFF' + refusal + '\\n');", 'maybe'],
  ['another version', "write(said(refused, '1.0') + '\\n');", 'maybe'],
  ['zeroes, later', later("write('\\0\\0\\n');"), 'maybe'],
  ['a result under no id, later', later(`write('{"jsonrpc":"2.0","result":{}}\\n');`), 'maybe'],
  ['the end of its output', "write(refusal + '\\n'); closeSync(1); setInterval(() => {}, 1000);", 'maybe'],
  ['the end of its output, later', later('closeSync(1); setInterval(() => {}, 1000);'), 'maybe'],
  [
    'the end of its output, and its own',
    later('closeSync(1); setTimeout(() => process.exit(0), 50);'),
    'maybe',
  ],
];

it.each([
  ['its own endpoint', 'u/mcp', 'pay'],
  ['the joined endpoint', 'mcp', 'u_pay'],
])('over %s', async (_, path, name) => {
  const told = WHAT.map(async ([what, how]) => {
    const { server, paid } = refusing(how);
    const gateway = await open({ upstreams: { u: { ...server, retry: { attempts: 2 } } } });
    await post(`${gateway.url}/${path}`, call('tools/list'));
    const { message } = await post(`${gateway.url}/${path}`, call('tools/call', { name, arguments: {} }));
    const said = JSON.stringify(message.result).includes('"again"') ? 'again' : 'else';
    return [what, executedIn(message) ?? said, paid()];
  });
  expect(await Promise.all(told)).toEqual(
    WHAT.map(([what, , became]) => [what, became, became === 'again' ? 2 : 1]),
  );
});
