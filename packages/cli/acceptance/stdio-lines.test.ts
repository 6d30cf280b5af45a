/** Line by line: every request has one answer, whatever it is, and standard output holds nothing but messages. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { faultOf, type Message } from '../../gateway/acceptance/support/http.ts';
import { deep, modern } from '../../gateway/acceptance/support/messages.ts';
import {
  calling,
  endAll,
  mayday,
  type Plain,
  puppetCommand,
  soon,
  wrapped,
} from './support/plain-command.ts';

const MIB = 1024 * 1024;
const folder = mkdtempSync(join(tmpdir(), 'mayday-stdio-'));
afterAll(async () => {
  await endAll();
  rmSync(folder, { recursive: true });
});

const nonsense = (plain: Plain): readonly Message[] => plain.messages().filter((each) => 'nonsense' in each);
const echo = (id: unknown, text: string): string =>
  JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'echo', arguments: { text } } });

describe('lines as clients write them', () => {
  it('a success is the line of the server', async () => {
    const plain = wrapped();
    await plain.open();
    const line =
      '{"result" : {"content":[ {"text":"\\u00e9\\/é","type":"text"}],"n":1.0,"x":[]},"id":$ID,"jsonrpc":"2.0"}';
    plain.send(calling('same', [{ say: line }]));
    await plain.answer('same');
    expect(plain.output().split('\n')).toContain(line.replace('$ID', '"same"'));
    expect(await plain.end()).toBe(0);
    expect(plain.output().endsWith('\n')).toBe(true);
  });

  it('CRLF, pieces inside a character, several in a piece, no end of the last line', async () => {
    const plain = wrapped();
    await plain.open();
    plain.write(`${echo('crlf', 'a')}\r\n\n`);
    const bytes = Buffer.from(`${echo('pieces', '日本 😀')}\n`);
    for (const byte of bytes) {
      plain.write(Buffer.from([byte]));
      await new Promise((resolve) => setImmediate(resolve));
    }
    plain.write(`${echo('one', '1')}\n${echo('two', '2')}\n${echo('last', '3')}`);
    expect(await plain.end()).toBe(0);
    const text = (id: string): unknown => plain.answers(id).map(({ result }) => result?.content[0].text);
    expect(['crlf', 'pieces', 'one', 'two', 'last'].map(text)).toEqual([
      ['echo: a'],
      ['echo: 日本 😀'],
      ['echo: 1'],
      ['echo: 2'],
      ['echo: 3'],
    ]);
  });

  it('what is no message is refused, and the next one is served', async () => {
    const plain = wrapped();
    await plain.open();
    for (const line of ['garbage', '42', 'null', '[]', '{}', '{"jsonrpc":"2.0","id":{},"method":"ping"}']) {
      plain.write(`${line}\n`);
    }
    plain.write(Buffer.concat([Buffer.from([0xff, 0xfe, 0xc3]), Buffer.from('\n')]));
    expect((await plain.ask('ping'))['result']).toEqual({});
    await plain.end();
    const codes = plain.messages().flatMap(({ error }) => (error === undefined ? [] : [error.code]));
    expect(codes.toSorted()).toEqual([-32600, -32600, -32600, -32600, -32600, -32700, -32700].toSorted());
    expect(nonsense(plain)).toEqual([]);
  });

  it('a request that is too large or too deep is refused by its id', async () => {
    const plain = wrapped();
    await plain.open();
    plain.write(`${echo('large', 'x'.repeat(17 * MIB))}\n`);
    plain.write(
      `{"jsonrpc":"2.0","id":"deep","method":"tools/call","params":{"name":"echo","arguments":{"a":${deep(100_000)}}}}\n`,
    );
    expect(faultOf(await plain.answer('large'))).toMatchObject({ kind: 'too_large', executed: 'no' });
    expect(faultOf(await plain.answer('deep'))).toMatchObject({ kind: 'invalid_request', executed: 'no' });
    plain.write(`${echo('big', 'x'.repeat(MIB))}\n`);
    expect((await plain.answer('big'))['result'].content[0].text.length).toBe(MIB + 'echo: '.length);
    expect(await plain.end()).toBe(0);
  });

  it('a line that never seems to end is refused once', async () => {
    const plain = wrapped();
    await plain.open();
    const piece = Buffer.alloc(MIB, 'x');
    for (let index = 0; index < 64; index += 1) plain.write(piece);
    plain.write('\n');
    expect((await plain.ask('ping'))['result']).toEqual({});
    expect(plain.messages().filter(({ error }) => error !== undefined).length).toBe(1);
    expect(await plain.end()).toBe(0);
  });

  it('10,000 requests at once have one answer each', async () => {
    const plain = wrapped({}, ['--quiet']);
    await plain.open();
    const lines = Array.from({ length: 10_000 }, (_, id) => `${echo(id, String(id))}\n`);
    plain.write(lines.join(''));
    expect(await plain.end(35_000)).toBe(0);
    const ids = plain.messages().flatMap(({ id }) => (typeof id === 'number' ? [id] : []));
    expect(ids.length).toBe(10_000);
    expect(new Set(ids).size).toBe(10_000);
    const fine = plain.messages().filter(({ result }) => result?.content?.[0].text.startsWith('echo: '));
    expect(fine.every(({ id, result }) => result.content[0].text === `echo: ${id}`)).toBe(true);
    expect(nonsense(plain)).toEqual([]);
  });

  it('the same id twice at a time has two answers', async () => {
    const plain = wrapped();
    await plain.open();
    const said = (text: string): object => ({ answer: { result: { content: [{ type: 'text', text }] } } });
    plain.send(calling(1, [{ wait: 200 }, said('slow')]), calling(1, [said('quick')]));
    await plain.end();
    expect(plain.answers(1).length).toBe(2);
  });

  it('2026-07-28, without a handshake', async () => {
    const plain = wrapped();
    plain.send(modern({ id: 'd', method: 'server/discover' }), modern(JSON.parse(echo('m', 'hi'))));
    plain.send(modern({ id: 'f', method: 'tools/call', params: { name: 'no-such' } }));
    expect(await plain.end()).toBe(0);
    expect(plain.answers('d')[0]?.['result'].supportedVersions).toEqual(['2026-07-28']);
    expect(plain.answers('m')[0]?.['result']).toEqual({
      resultType: 'complete',
      content: [{ type: 'text', text: 'echo: hi' }],
    });
    expect(faultOf(plain.answers('f')[0] ?? {})).toMatchObject({ kind: 'not_found' });
  });
});

describe('standard output holds messages alone', () => {
  it('a server that prints nonsense and floods standard error', async () => {
    const plain = wrapped();
    await plain.open();
    const bytes = Buffer.from([0xff, 0xfe, 0x0a]).toString('base64');
    const steps = [
      { say: 'a banner' },
      { say: '{"not":"rpc"}' },
      { say: '[1]' },
      { bytes },
      { stderr: 'spam\n'.repeat(50_000) },
      { answer: { result: { content: [] } } },
    ];
    plain.send(calling(1, steps));
    expect((await plain.answer(1))['result']).toEqual({ content: [] });
    expect(await plain.end()).toBe(0);
    expect(plain.messages().length).toBe(2);
    expect(nonsense(plain)).toEqual([]);
    expect(plain.log()).toContain('a banner');
    expect(plain.log().split('\n').length).toBeLessThan(400);
  });

  it('a module that prints', async () => {
    const file = join(folder, 'loud.mjs');
    writeFileSync(file, LOUD);
    const plain = mayday(['wrap', '--with', file, '--dialect', 'loud', '--', ...puppetCommand()]);
    await plain.open();
    await plain.ask('tools/call', { name: 'echo', arguments: { script: [FAILING] } });
    await plain.ask('ping');
    expect(await plain.end()).toBe(0);
    expect(nonsense(plain)).toEqual([]);
    for (const words of ['printed at load', 'written at load', 'printed later']) {
      expect(plain.log()).toContain(words);
    }
  });

  it('a command that is not there', async () => {
    const plain = mayday(['wrap', '--', 'no-such-program-anywhere']);
    const answer = await plain.ask('initialize', {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'a', version: '1' },
    });
    expect(faultOf(answer)).toMatchObject({ kind: 'misconfigured', executed: 'no' });
    expect(await plain.end()).toBe(0);
    expect(nonsense(plain)).toEqual([]);
    expect(plain.log()).toContain('command not found: no-such-program-anywhere');
  });

  it('--quiet is quiet', async () => {
    const plain = wrapped({}, ['--quiet']);
    await plain.open();
    await plain.ask('tools/call', { name: 'no-such' });
    await plain.end();
    expect(plain.log()).toBe('');
  });

  it('secrets stay behind', async () => {
    const plain = wrapped();
    await plain.open();
    const text = 'connect ECONNREFUSED postgres://admin:hunter2@10.0.0.5:5432/prod';
    const failing = { answer: { result: { isError: true, content: [{ type: 'text', text }] } } };
    plain.send(calling(1, [{ stderr: text }, failing], {}, 'pay'));
    expect((await plain.answer(1))['result'].isError).toBe(true);
    await plain.end();
    expect(plain.output() + plain.log()).not.toContain('hunter2');
  });
});

// Each waits for its client to ask before it goes, so they wait together.
describe.concurrent('wrong usage', () => {
  writeFileSync(join(folder, 'bad.yaml'), 'upstreams:\n  a: { command: cat, timeout: 5 }\n');
  it.each<[string[], RegExp]>([
    [['wrap'], /give a URL, or a command after --/],
    [['wrap', 'cat'], /"cat" is no http URL; write a command after --/],
    [['wrap', 'http://x/mcp', '--', 'cat'], /exclude each other/],
    [['wrap', '--port', '1', '--', 'cat'], /--port/],
    [['wrap', '--dialect', 'nope', '--', 'cat'], /knows no dialect "nope"/],
    [['wrap', '--dialect', 'problem', '--', 'cat'], /"problem" is one of HTTP/],
    [['wrap', '--with', 'no-such.js', '--', 'cat'], /no-such\.js: there is no such file/],
    [['wrap', '--bogus', '--', 'cat'], /no flag --bogus/],
    [['gateway', '--stdio', '--port', '1', '--', 'cat'], /--port and --stdio exclude each other/],
    [['gateway', '--stdio', '--config', 'bad.yaml'], /bad\.yaml:2: upstreams\.a\.timeout: Unknown setting/],
  ])('%j', async (args, words) => {
    const plain = mayday(args, { cwd: folder });
    expect(await soon(plain.gone, 12_000)).toBe(2);
    expect(plain.output()).toBe('');
    expect(plain.log()).toMatch(words);
  });
});

const FAILING = { answer: { result: { isError: true, content: [{ type: 'text', text: 'no' }] } } };

const LOUD = `
console.log('printed at load');
process.stdout.write('written at load\\n');
const timer = setInterval(() => console.info('printed later'), 20);
timer.unref();
export const loud = {
  id: 'loud', codes: [],
  recognise: () => 0,
  read: () => undefined,
  write: () => { console.log('printed in a call'); return { kind: 'result', result: { isError: true, content: [] } }; },
};
`;
