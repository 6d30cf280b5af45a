/** A server whose answer to what opens a conversation cannot be read: nothing else was ever asked of it. */
import { afterEach, expect, it } from 'vitest';
import { ask, request } from '../../test/tools.ts';
import { OWN_OPENING } from './own-opening.ts';
import { StdioLink } from './stdio-link.ts';

const open: StdioLink[] = [];

afterEach(async () => {
  await Promise.all(open.splice(0).map((link) => link.close()));
});

const TOKEN = 'ghp_abcdefghijklmnopqrstuvwxyz0123456789';

/** A server that complains, answers `initialize` with this, and everything else as it should; `ID` is that of the request. */
function connect(answer: string, shared: boolean): StdioLink {
  const script = `require('node:fs').writeSync(2, 'half configured, with ${TOKEN}\\n');
  require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, method } = JSON.parse(line);
    const opening = () => console.log((${answer}).replaceAll('ID', JSON.stringify(id)));
    if (method === 'initialize') setTimeout(opening, 50);
    else if (id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id, result: { called: method } }));
  })`;
  const link = new StdioLink({
    command: process.execPath,
    args: ['-e', script],
    shared,
    opening: shared ? OWN_OPENING : undefined,
    openTimeoutMs: 20_000,
    maxMessageBytes: 100_000,
    onMessage: () => {},
  });
  open.push(link);
  return link;
}

const GOOD = '{"jsonrpc":"2.0","id":ID,"result":{"protocolVersion":"2025-11-25","capabilities":{}}}';
const BROKEN: readonly (readonly [name: string, answer: string, what: string])[] = [
  ['twice in a line', JSON.stringify(GOOD + GOOD), 'what is no JSON-RPC message: {"jsonrpc"'],
  ['cut off', JSON.stringify(GOOD.slice(0, 50)), 'what is no JSON-RPC message: {"jsonrpc"'],
  [
    'without an id, and broken',
    JSON.stringify('{"jsonrpc":"2.0","result":{bad}}'),
    'what is no JSON-RPC message: {"jsonrpc"',
  ],
  ['neither result nor error', JSON.stringify('{"jsonrpc":"2.0","id":ID}'), 'what is no JSON-RPC message: {'],
  ['of another version', JSON.stringify(GOOD.replace('2.0', '1.0')), 'what is no JSON-RPC 2.0: {"jsonrpc"'],
  ['a result without members', JSON.stringify('{"jsonrpc":"2.0","id":ID,"result":null}'), 'a result that is'],
  [
    'nested too deep',
    `'{"jsonrpc":"2.0","id":ID,"result":' + '['.repeat(2000) + ']'.repeat(2000) + '}'`,
    'what is nested deeper than the gateway\'s limit of 1000 levels: {"jsonrpc"',
  ],
  [
    'too long',
    `'{"jsonrpc":"2.0","id":ID,"result":{"x":"' + 'x'.repeat(200000) + '"}}'`,
    'more than the gateway\'s limit of 100000 bytes: {"jsonrpc"',
  ],
];

const told = (what: string) => ({
  kind: 'misconfigured',
  origin: 'upstream',
  executed: 'no',
  message: expect.stringContaining(`The server answered \`initialize\` with ${what}`),
  advice: 'It does not speak MCP as it was started: correct its command, or update it.',
  details: {
    command: `${process.execPath} …`,
    stderr: expect.stringMatching(/^half configured, with (?!ghp_)/),
  },
});

it.each(BROKEN)('is told to the client that opens it: %s', async (_name, answer, what) => {
  const link = connect(answer, false);
  expect((await ask(link, request('initialize', {}))).lost).toEqual(told(what));
});

it.each(BROKEN)(
  'is told to whoever calls, each time and at once: %s',
  async (_name, answer, what) => {
    const link = connect(answer, true);
    for (const method of ['tools/list', 'tools/call'])
      expect((await ask(link, request(method, {}))).lost).toEqual(told(what));
  },
  10_000,
);

it('is not taken for the answer of a call that waits for the opening', async () => {
  const early = connect(JSON.stringify(`{"jsonrpc":"2.0","id":1,"result":{"early":true}}\n${GOOD}`), true);
  expect((await ask(early, request('tools/call', {}))).answer?.result).toEqual({ called: 'tools/call' });
  const log = connect(JSON.stringify(`{"jsonrpc":"2.0","id":1,"result":{"cut\n${GOOD}`), true);
  expect((await ask(log, request('tools/call', {}))).answer?.result).toEqual({ called: 'tools/call' });
});

it('knows a server by its error without an id, which knows nothing of openings', async () => {
  const link = connect(
    JSON.stringify('{"jsonrpc":"2.0","id":null,"error":{"code":-32601,"message":"no"}}'),
    true,
  );
  expect((await ask(link, request('tools/call', {}))).answer?.result).toEqual({ called: 'tools/call' });
});
