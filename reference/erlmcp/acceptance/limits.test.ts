import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SLOW } from '../../acceptance/program.ts';
import type { Pipe } from '../../acceptance/stdio.ts';
import { callTool, type Message } from '../../acceptance/wire.ts';
import { openWorld, signIn, type World } from './world.ts';

const MAX = 16_777_216;
let world: World;
let pipe: Pipe;
beforeAll(async () => {
  world = await openWorld(['--rate-limit', '100000']);
  pipe = world.pipe;
  await signIn(world, pipe);
}, SLOW);
afterAll(() => world.close());

/** A ping of so many bytes, padded with a character of so many bytes. */
function pingOf(bytes: number, id: string, character = 'x'): string {
  const [head, tail] = [`{"jsonrpc":"2.0","id":"${id}","method":"ping","params":{"p":"`, '"}}'];
  const width = Buffer.byteLength(character);
  const room = bytes - head.length - tail.length;
  return head + character.repeat(Math.floor(room / width)) + 'x'.repeat(room % width) + tail;
}

const sent = (id: string, line: string): Promise<Message> => {
  pipe.send(`${line}\n`);
  return pipe.find((message) => message.id === id || (message.id === null && message.error?.code === -32012));
};

describe('a message', () => {
  it('ER-76: of 16,777,216 bytes passes', async () => {
    expect(await sent('exact', pingOf(MAX, 'exact'))).toEqual({ jsonrpc: '2.0', id: 'exact', result: {} });
  });

  it('ER-76: is measured in bytes, not in characters', async () => {
    const wide = pingOf(MAX + 1, 'wide', '√');
    expect(wide.length).toBeLessThan(MAX / 2);
    expect((await sent('wide', wide)).error?.data).toEqual({
      actual_size: MAX + 1,
      max_size: MAX,
      unit: 'bytes',
    });
  });

  it('ER-35 ER-76: of one byte more is -32012, and its id is known', async () => {
    expect(await sent('more', pingOf(MAX + 1, 'more'))).toEqual({
      jsonrpc: '2.0',
      id: 'more',
      error: {
        code: -32012,
        message: 'Message size exceeds maximum allowed',
        data: { actual_size: MAX + 1, max_size: MAX, unit: 'bytes' },
      },
    });
  });

  it(
    'ER-76: may be larger or smaller where that is configured',
    async () => {
      const { serveStdio } = await import('../../acceptance/reference.ts');
      const small = serveStdio('erlmcp', world.folder, ['--max-message-bytes', '1000']);
      await small.initialize();
      small.send(`${pingOf(1001, 'over')}\n`);
      const over = await small.find(({ error }) => error?.code === -32012);
      await small.close();
      expect(over.error.data).toEqual({ actual_size: 1001, max_size: 1000, unit: 'bytes' });
    },
    SLOW,
  );

  it(
    'ER-35: that is too large leaves nothing behind',
    async () => {
      const before = pipe.program.memory();
      for (let times = 0; times < 12; times += 1) {
        const method = 'm'.repeat(15 * 1024 * 1024);
        pipe.send(`{"jsonrpc":"2.0","id":"big-${times}","method":"${method}"}\n`);
        const answer = await pipe.answerTo(`big-${times}`);
        expect(answer.error?.code).toBe(-32601);
      }
      expect(pipe.program.memory() - before).toBeLessThan(250 * 1024 * 1024);
    },
    SLOW,
  );
});

describe('the description of a tool', () => {
  const define = (name: string, length: number, character = 'd'): Promise<Message> =>
    callTool(pipe, 'define_tool', { name, description: character.repeat(length), text: 'x' });

  it('ER-75: of 10,000 characters passes', async () => {
    expect((await define('just_right', 10_000)).error).toBeUndefined();
    expect((await define('just_right_too', 10_000, '√')).error).toBeUndefined();
  });

  it('ER-34 ER-75: of 10,001 characters is -32011 with both lengths', async () => {
    expect((await define('too_long', 10_001)).error).toEqual({
      code: -32011,
      message: 'Tool description exceeds maximum length',
      data: { actual_length: 10_001, max_length: 10_000 },
    });
  });
});

describe('content', () => {
  it('ER-37: that is too large is -32014', async () => {
    const { error } = await callTool(pipe, 'save_note', { name: 'big', text: 'x'.repeat(1_048_577) });
    expect([error?.code, error?.message]).toEqual([-32014, 'Content too large']);
  });

  it('ER-38: that is no UTF-8 is -32015 with the place', async () => {
    const blob = Buffer.from([0x61, 0x62, 0x63, 0xc3, 0x28]).toString('base64');
    const { error } = await callTool(pipe, 'save_note', { name: 'bad', blob });
    expect(error).toEqual({
      code: -32015,
      message: 'Invalid encoding',
      data: { encoding: 'utf-8', position: 3 },
    });
  });
});
