/** Faults with wrong fields, and bugs on our own way out: there is an answer all the same, and the key is kept. */
import { FaultError, fault, language } from '@mayday/core';
import { McpServer } from '@modelcontextprotocol/server';
import { describe, expect, it } from 'vitest';
import { problemResponse } from '../src/http.ts';
import { deadline, type GuardOptions, guard } from '../src/index.ts';
import { said, till } from './till.ts';
import { askV1, failingV1 } from './v1-fixture.ts';
import { connectRaw, faultIn } from './wire.ts';

const any = (value: unknown): never => value as never;

/** Its own getter throws, wherever somebody looks at it. */
class Broken extends FaultError {
  override get fault(): never {
    throw new Error('a getter of the author’s');
  }
}

const hostile = new Proxy(new Error('x'), {
  get: () => {
    throw new Error('a trap');
  },
  getPrototypeOf: () => {
    throw new Error('a trap');
  },
});

const WRONG: readonly (readonly [string, () => unknown])[] = [
  ['an exception as message', () => fault.internal(any(new Error('boom')))],
  ['a number as message', () => fault.notFound(any(7))],
  ['a word as subject', () => fault.notFound('x', any({ subject: 'order' }))],
  ['no subject', () => fault.notFound('x', any({ subject: null }))],
  ['words as issues', () => fault.conflict('x', any({ issues: ['bad id'] }))],
  ['an object as issues', () => fault.conflict('x', any({ issues: { id: 'bad' } }))],
  ['an issue of nothing', () => fault.conflict('x', any({ issues: [{}] }))],
  ['a word as path', () => fault.conflict('x', any({ issues: [{ path: 'id', message: 'bad' }] }))],
  ['a number as advice', () => fault.conflict('x', any({ advice: 5 }))],
  ['half a fault', () => new FaultError(any({ kind: 'conflict', message: 'x' }))],
  ['no fault at all', () => new FaultError(any(undefined))],
  ['a fault whose getter throws', () => new Broken(fault.conflict('x').fault)],
  ['an exception that fights back', () => hostile],
];

describe.each(WRONG)('%s', (_, make) => {
  it('is answered, and under its key done once', async () => {
    const { pay, paid } = await till(() => Promise.reject(make()), { guards: [deadline({ ms: 2000 })] });
    const answers = [await pay(5, 'k'), await pay(5, 'k'), await pay(5, 'k')];
    expect(paid).toEqual([5]);
    for (const answer of answers) expect(faultIn(answer)).toMatchObject({ executed: 'maybe' });
    expect(said(await pay(6))).not.toBe('');
  });

  it('is answered by resources and prompts', async () => {
    const server = guard(new McpServer({ name: 's', version: '1' }));
    const fail = async (): Promise<never> => Promise.reject(make());
    server.registerResource('r', 'a://r', {}, fail);
    server.registerPrompt('p', {}, fail);
    const client = await connectRaw(server);
    expect((await client.ask('resources/read', { uri: 'a://r' })).error?.code).toBeTypeOf('number');
    expect((await client.ask('prompts/get', { name: 'p' })).error?.code).toBeTypeOf('number');
  });

  it('is answered where mapError returns it', async () => {
    const { pay, paid } = await till(() => Promise.reject(new Error('boom')), {
      mapError: () => any(make()),
    });
    await pay(5, 'k');
    expect(faultIn(await pay(5, 'k'))).toMatchObject({ executed: 'maybe' });
    expect(paid).toEqual([5]);
  });

  it.each([
    [
      'at once',
      () => {
        throw make();
      },
    ],
    [
      'later',
      async () => {
        throw make();
      },
    ],
  ])('is answered where a guard throws it %s', async (_when, before) => {
    const { pay, paid } = await till(undefined, { guards: [{ name: 'g', before }] });
    expect(faultIn(await pay(5))).toMatchObject({ executed: 'no' });
    expect(paid).toEqual([]);
  });

  it('is a problem document', async () => {
    const response = problemResponse(make());
    expect(response.status).toBeGreaterThanOrEqual(400);
    expect(await response.json()).toHaveProperty('kind');
  });
});

it('v1 answers too', async () => {
  const server = failingV1();
  server.registerTool('odd', {}, async () => {
    throw fault.conflict('Shipped', any({ subject: 'order', executed: false }));
  });
  const answer = await askV1(server, 'tools/call', { name: 'odd', arguments: {} });
  expect(faultIn(answer)).toMatchObject({ kind: 'conflict', subject: { type: 'order' }, executed: 'maybe' });
});

describe('a bug on our own way out', () => {
  const bug = (): never => {
    throw new Error('postgres://svc:hunter2@10.0.0.5/x');
  };
  const BUGS: readonly (readonly [string, GuardOptions])[] = [
    ['in reading', { language: { ...language, read: bug } }],
    ['in writing', { language: { ...language, write: bug } }],
    [
      'in the dialect',
      {
        language: {
          ...language,
          dialect: () => ({ ...language.dialect('mayday'), write: bug, form: any(bug) }),
        },
      },
    ],
    ['in finding the sender', { identify: bug }],
  ];

  it.each(BUGS)('%s costs nobody the answer, and no key', async (_, options) => {
    const heard: unknown[] = [];
    const { pay, paid } = await till(() => Promise.reject(new Error('Card declined')), {
      ...options,
      onFault: ({ cause }) => heard.push(cause),
    });
    const answers = [await pay(5, 'k'), await pay(5, 'k'), await pay(5)];
    expect(paid.length).toBeLessThanOrEqual(2);
    for (const answer of answers) {
      expect(faultIn(answer)['kind']).toBeTypeOf('string');
      expect(JSON.stringify(answer)).not.toContain('hunter2');
    }
    expect(heard).toHaveLength(3);
  });

  it('is answered where the author returned the failure', async () => {
    const server = guard(new McpServer({ name: 's', version: '1' }), {
      language: { ...language, read: bug },
    });
    server.registerTool('t', {}, async () => ({ isError: true, content: [{ type: 'text', text: 'no' }] }));
    const answer = await (await connectRaw(server)).ask('tools/call', { name: 't', arguments: {} });
    expect(faultIn(answer)).toMatchObject({ kind: 'internal', executed: 'maybe' });
  });
});
