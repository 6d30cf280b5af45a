/** Whoever sends a request that cannot be read learns which one it was, where its bytes show that: over standard streams nothing else does. */
import { PassThrough } from 'node:stream';
import { afterEach, expect, it } from 'vitest';
import { startStdioGateway } from '../../src/index.ts';
import { cleanUp, JSON_TYPES, later, open, STDIO_SERVER, settingsOf } from '../tools.ts';

afterEach(cleanUp);

const CALL = '"jsonrpc":"2.0","method":"tools/call"';

// biome-ignore format: a table
const PLAIN: readonly (readonly [string, string | Buffer, string | number])[] = [
  ['no number', `{"jsonrpc":"2.0","id":"nan","method":"tools/call","params":{"name":"echo","arguments":{"a":NaN}}}`, 'nan'],
  ['an id behind what is broken', `{${CALL},"params":{"name":"echo","arguments":{"a":undefined}},"id":41}`, 41],
  ['params without quotes', `{"jsonrpc":"2.0","id":42,"method":"tools/call","params":{bad}}`, 42],
  ['a comma too many', `{"jsonrpc":"2.0","id":43,"method":"ping",}`, 43],
  ['a byte order mark', `\uFEFF{"jsonrpc":"2.0","id":"bom","method":"ping"}`, 'bom'],
  ['an id in the arguments too', `{"jsonrpc":"2.0","id":44,"method":"tools/call","params":{"arguments":{"id":1,"a":NaN}}}`, 44],
  ['bytes that are no text', Buffer.from(`{"jsonrpc":"2.0","id":46,"method":"ping","params":{"a":"\xff"}}`, 'latin1'), 46],
  ['an id of escapes', `{"jsonrpc":"2.0","id":"a\\u0062","method":"ping","params":{bad}}`, 'ab'],
  ['a negative id', `{"jsonrpc":"2.0","id":-7,"method":"ping","params":{bad}}`, -7],
];

// biome-ignore format: a table
const UNKNOWN: readonly (readonly [string, string])[] = [
  ['two ids', `{"jsonrpc":"2.0","id":1,"id":2,"method":"ping","params":{bad}}`],
  ['a fraction', `{"jsonrpc":"2.0","id":1.5,"method":"ping"}`],
  ['an id that no number is', `{"jsonrpc":"2.0","id":NaN,"method":"ping"}`],
  ['an id that is rounded', `{"jsonrpc":"2.0","id":9007199254740993,"method":"ping","params":{bad}}`],
  ['an id inside alone', `{"jsonrpc":"2.0","method":"ping","params":{"id":1,bad}}`],
  ['a batch', `[{"jsonrpc":"2.0","id":1,"method":"ping"}]`],
  ['a message that is cut off', `{"jsonrpc":"2.0","id":1,"method":"ping",`],
  ['a quote that does not end', `{"jsonrpc":"2.0","id":45,"method":"ping","params":{"a":"b}}`],
  ['an id that is cut off', `{"jsonrpc":"2.0","method":"ping","id":12`],
  ['an answer, under whose id the client may wait for another', `{"jsonrpc":"2.0","id":1,"result":{"a":NaN}}`],
  ['a failure', `{"jsonrpc":"2.0","id":1,"error":{bad}}`],
];

/** What is answered over standard streams. */
async function answers(root: string | undefined, lines: readonly (string | Buffer)[]) {
  const [input, output] = [new PassThrough(), new PassThrough()];
  let said = '';
  output.on('data', (chunk: Buffer) => {
    said += chunk;
  });
  const settings = settingsOf({ upstreams: { near: STDIO_SERVER, far: { url: 'http://127.0.0.1:9/mcp' } } });
  const gateway = await startStdioGateway(settings, { input, output, root });
  later(() => gateway.close(0));
  const told = (): { readonly id?: unknown; readonly error?: object }[] =>
    said
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line))
      .filter(({ error }) => error !== undefined);
  for (const [n, line] of lines.entries()) {
    input.write(line);
    input.write('\n');
    await expect.poll(() => told().length, { timeout: 10_000 }).toBeGreaterThan(n);
  }
  return told();
}

it.each(['near', 'far', undefined])('over standard streams, before %j', async (root) => {
  const told = await answers(
    root,
    PLAIN.map(([, line]) => line),
  );
  expect(told.map(({ id }) => id)).toEqual(PLAIN.map(([, , id]) => id));
});

it('and no other is guessed, nor told as null', async () => {
  const told = await answers(
    'near',
    UNKNOWN.map(([, line]) => line),
  );
  expect(told).toHaveLength(UNKNOWN.length);
  for (const answer of told) expect(answer).not.toHaveProperty('id');
});

it.each(['/near/mcp', '/far/mcp', '/mcp'])('over HTTP, at %s', async (path) => {
  const gateway = await open({ upstreams: { near: STDIO_SERVER, far: { url: 'http://127.0.0.1:9/mcp' } } });
  const told: unknown[] = [];
  for (const [, body] of [...PLAIN, ...UNKNOWN]) {
    const answer = await fetch(gateway.url + path, { method: 'POST', headers: JSON_TYPES, body });
    const { id } = (await answer.json()) as { readonly id?: unknown };
    told.push([answer.status, id]);
  }
  expect(told).toEqual([...PLAIN.map(([, , id]) => [400, id]), ...UNKNOWN.map(() => [400, undefined])]);
});
