/** Real child processes over stdio: malformed and oversize lines, both eras, plain and guarded. */
import { afterEach, describe, expect, it } from 'vitest';
import { type Child, ENVELOPE, faultIn, runChild } from './wire.ts';

const file = new URL('./stdio-server.ts', import.meta.url);
const children: Child[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill();
});

function start(...args: string[]): Child {
  const child = runChild(file, args);
  children.push(child);
  return child;
}

const call = (id: number, name: string, meta?: object) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name, ...(meta === undefined ? {} : { _meta: meta }) },
});

it.each([
  ['guarded', 'connect'],
  ['guarded-v1', 'connect'],
  ['guarded-stdio', 'connect'],
])('a byte order mark costs nobody the answer: %s, %s', async (how, wiring) => {
  const child = start(how, wiring);
  child.write(`\uFEFF${JSON.stringify(call(1, 'fine'))}`);
  expect(await child.next()).toMatchObject({ id: 1, result: { content: [{ text: 'fine' }] } });
  child.write(call(2, 'fine'));
  child.write(`\uFEFF${JSON.stringify(call(3, 'fine'))}`);
  expect([(await child.next())?.id, (await child.next())?.id].sort()).toEqual([2, 3]);
  child.write('\uFEFF{"jsonrpc"');
  expect(await child.next()).toMatchObject({ error: { code: -32700 } });
});

describe('a malformed line', () => {
  it.each(['guarded', 'guarded-stdio'])(
    'ER-19 EM-24 is one of white space that is none of JSON’s: %s',
    async (how) => {
      const child = start(how, 'connect');
      for (const line of ['\u0000', '\u000b', '\u0000\u0000\u0000', '\u000c']) {
        child.write(' \t\r');
        child.write(line);
        expect((await child.next())?.error, JSON.stringify(line)).toMatchObject({ code: -32700 });
        child.write(call(2, 'fine'));
        expect(await child.next(), JSON.stringify(line)).toMatchObject({ id: 2, result: {} });
      }
    },
  );

  it('is dropped by the plain server', async () => {
    const child = start('plain');
    child.write('{"jsonrpc": "2.0", "id": 1, "method": ');
    child.write(call(2, 'fine'));
    expect(await child.next()).toMatchObject({ id: 2, result: {} });
  });

  it.each([
    ['guarded', 'connect'],
    ['guarded-stdio', 'connect'],
    ['guarded-stdio', 'serve'],
  ])('is answered by %s, %s, and the connection goes on', async (how, wiring) => {
    const child = start(how, wiring);
    child.write('{"jsonrpc": "2.0", "id": 1, "method": ');
    const answer = await child.next();
    expect(answer?.error).toMatchObject({ code: -32700, data: { kind: 'parse_error' } });
    expect(answer).not.toHaveProperty('id');
    child.write(call(2, 'fine'));
    expect(await child.next()).toMatchObject({ id: 2, result: { content: [{ text: 'fine' }] } });
  });
});

it('answers a line that is JSON but no message, under its id', async () => {
  for (const how of ['guarded', 'guarded-stdio']) {
    const child = start(how);
    child.write({ hello: 'world', id: 7 });
    expect(await child.next()).toMatchObject({
      id: 7,
      error: { code: -32600, data: { kind: 'invalid_request' } },
    });
  }
});

it.each([
  ['guarded', 'connect'],
  ['guarded-v1', 'connect'],
  ['guarded-stdio', 'connect'],
  ['guarded-stdio', 'serve'],
])('answers a request with a member that nobody knows: %s, %s', async (how, wiring) => {
  const child = start(how, wiring);
  child.write(JSON.stringify(call(1, 'fine')).replace('{', '{"__proto__":{},"extra":1,'));
  expect(await child.next()).toMatchObject({ id: 1, result: { content: [{ text: 'fine' }] } });
  child.write(call(2, 'fine'));
  expect(await child.next()).toMatchObject({ id: 2, result: {} });
});

it('refuses a number that is no longer the id which was sent, and tells nobody else', async () => {
  const child = start('guarded-stdio');
  child.write('{"jsonrpc":"2.0","id":9007199254740993,"method":"ping"}');
  const answer = await child.next();
  expect(answer).toMatchObject({ error: { code: -32600, data: { kind: 'invalid_request' } } });
  expect(answer).not.toHaveProperty('id');
});

describe('a line that is too long', () => {
  const long = JSON.stringify({
    ...call(3, 'fine'),
    padding: undefined,
    params: { name: 'fine', pad: 'x'.repeat(11 * 1024 * 1024) },
  });

  it('ends the plain server without an answer', async () => {
    const child = start('plain');
    child.write(long);
    expect(await child.exited).toBe(0);
    expect(await child.next(100)).toBeUndefined();
  });

  it('is answered under its id, and the connection goes on', async () => {
    const child = start('guarded-stdio');
    child.write(long);
    expect(await child.next()).toMatchObject({
      id: 3,
      error: { data: { kind: 'too_large', details: { max_bytes: 65_536 } } },
    });
    child.write({
      method: 'tools/call',
      params: { name: 'fine', pad: 'y'.repeat(100_000) },
      jsonrpc: '2.0',
      id: 'last',
    });
    expect(await child.next()).toMatchObject({ id: 'last', error: { data: { kind: 'too_large' } } });
    child.write(call(4, 'fine'));
    expect(await child.next()).toMatchObject({ id: 4, result: {} });
  });
});

describe('the 2026 era over stdio', () => {
  it('masks, answers for handlers that hang, and keeps order', async () => {
    const child = start('guarded', 'serve');
    child.write(call(1, 'error', ENVELOPE));
    expect(faultIn(await child.next())).toMatchObject({ kind: 'internal' });
    child.write(call(2, 'forever', ENVELOPE));
    expect(faultIn(await child.next())).toMatchObject({ kind: 'timeout' });
  });

  it('refuses a version that the connection was not opened with', async () => {
    const stray = { ...ENVELOPE, 'io.modelcontextprotocol/protocolVersion': '2099-01-01' };
    const plain = start('plain', 'serve');
    plain.write(call(1, 'fine', ENVELOPE));
    await plain.next();
    plain.write(call(2, 'fine', stray));
    expect(await plain.next()).toMatchObject({ id: 2, result: {} });

    const guarded = start('guarded', 'serve');
    guarded.write(call(1, 'fine', ENVELOPE));
    await guarded.next();
    guarded.write(call(2, 'fine', stray));
    expect(await guarded.next()).toMatchObject({
      id: 2,
      error: { code: -32022, data: { supported: ['2026-07-28'], requested: '2099-01-01' } },
    });
  });
});

it('lets the process end when the client hangs up', async () => {
  for (const how of ['guarded', 'guarded-stdio']) {
    const child = start(how);
    child.write(call(1, 'fine'));
    await child.next();
    child.process.stdin?.end();
    expect(await child.exited).toBe(0);
  }
});
