import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { expect, test } from 'vitest';
import { mayday, start } from './mayday.ts';

const GOOD = '{"thrown":{"code":"ETIMEDOUT","message":"x"}}';

async function lines(args: readonly string[], input: string | Uint8Array): Promise<unknown[]> {
  const { out, code, err } = await mayday(args, input);
  expect({ code, err }).toEqual({ code: 0, err: '' });
  return out
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown);
}

test('answers every line in order, bad ones with an error of their own', async () => {
  const input = [GOOD, '{"broken', '', '{"result":{}}', '"ECONNREFUSED"'].join('\n');
  expect(await lines(['read', '--jsonl'], input)).toMatchObject([
    { failure: true, kind: 'timeout' },
    {
      error: {
        kind: 'parse_error',
        line: 2,
        message: 'Line 2 is not valid JSON',
        advice: 'Send one JSON value on every line; quote plain text.',
      },
    },
    {
      error: {
        kind: 'parse_error',
        line: 3,
        message: 'Line 3 is blank',
        advice: 'Send one JSON value on every line.',
      },
    },
    { failure: false },
    { failure: true, kind: 'unavailable' },
  ]);
});

test('answers a line that is not UTF-8 with an error', async () => {
  const input = Buffer.concat([Buffer.from('"'), Buffer.from([0xff, 0xfe]), Buffer.from(`"\n${GOOD}\n`)]);
  expect(await lines(['read', '--jsonl'], input)).toMatchObject([
    { error: { message: 'Line 1 is not valid UTF-8' } },
    { kind: 'timeout' },
  ]);
});

test('takes carriage returns and a byte order mark as part of the line ends', async () => {
  expect(await lines(['read', '--jsonl'], `\ufeff${GOOD}\r\n${GOOD}\r\n`)).toMatchObject([
    { kind: 'timeout' },
    { kind: 'timeout' },
  ]);
});

test('works the same for translate and redact', async () => {
  const input = `${GOOD}\nnope\n`;
  expect(await lines(['translate', '--to', 'mayday', '--jsonl'], input)).toMatchObject([
    { wire: { jsonrpc: '2.0' }, losses: [] },
    { error: { line: 2 } },
  ]);
  expect(await lines(['redact', '--jsonl'], input)).toMatchObject([
    { value: { thrown: { code: 'ETIMEDOUT' } }, findings: [] },
    { error: { line: 2 } },
  ]);
});

test('answers a line before the next one comes', async () => {
  const child = start(['read', '--jsonl']);
  const answers = createInterface({ input: child.stdout });
  child.stdin.write(`${GOOD}\n`);
  const [first] = (await once(answers, 'line')) as [string];
  child.stdin.write('{"result":{}}\n');
  const [second] = (await once(answers, 'line')) as [string];
  child.stdin.end();
  expect([JSON.parse(first), JSON.parse(second)]).toMatchObject([{ kind: 'timeout' }, { failure: false }]);
});

test('ends quietly when nobody reads any more', async () => {
  const child = start(['read', '--jsonl']);
  let err = '';
  child.stderr.on('data', (chunk: Buffer) => {
    err += chunk.toString();
  });
  child.stdin.on('error', () => {
    // The reader is gone, so the rest of the input has no taker: that is the case under test.
  });
  child.stdin.write(`${GOOD}\n`.repeat(20_000));
  child.stdout.once('data', () => child.stdout.destroy());
  const [code] = (await once(child, 'close')) as [number | null];
  expect({ code, err }).toEqual({ code: 0, err: '' });
});
