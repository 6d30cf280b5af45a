import { expect, it } from 'vitest';
import { createLanguage, fault, language } from '../index.ts';
import { erlmcp } from './erlmcp/index.ts';
import { formOf } from './forms.ts';

const VERBS = [
  'recognise',
  'read',
  'write',
  'fails',
  'usualWaitMs',
  'problem',
  'form',
  'asSaid',
  'standsAlone',
];

it.each(VERBS)('%s that gives a promise throws, and its rejection is taken', async (verb) => {
  const rejected: unknown[] = [];
  const onRejected = (reason: unknown): void => void rejected.push(reason);
  process.on('unhandledRejection', onRejected);
  const late = async (): Promise<never> => {
    throw new Error('late');
  };
  for (const own of [
    language.with({ ...erlmcp, id: 'acme', [verb]: late }),
    createLanguage({ dialects: [{ ...erlmcp, id: 'acme', [verb]: late }] }),
  ]) {
    const ask = (own.dialect('acme') as unknown as { [name: string]: () => unknown })[verb];
    expect(ask).toThrow(`Expected \`${verb}\` of the dialect "acme" to answer at once, got a promise`);
    expect(own.read({ result: { isError: true, content: [] } }).failure).toBe(true);
  }
  await new Promise((done) => setTimeout(done, 5));
  process.off('unhandledRejection', onRejected);
  expect(rejected).toEqual([]);
});

it.each([
  ['a bare message', { jsonrpc: '2.0', id: 1, result: { content: [] } }, 'an object without it'],
  ['nothing', undefined, 'undefined'],
  ['a text', 'no', 'a string'],
  ['a wire that is a text', { wire: 'no' }, 'an object without it'],
])('write that returns %s says what it has to return', (_what, answer, got) => {
  const own = language.with({ ...erlmcp, id: 'acme', write: () => answer as never });
  expect(() => own.write(fault.timeout('x').fault, 'acme')).toThrow(
    `Expected \`write\` of the dialect "acme" to return { wire }, as \`resultResponse\` makes it, got ${got}`,
  );
});

it('leaves a dialect what it is', () => {
  class Counted {
    readonly id = 'counted';
    readonly title = 'Counted';
    readonly codes = [];
    asked = 0;
    recognise(): number {
      this.asked += 1;
      return 1;
    }
    read(): undefined {
      return undefined;
    }
    write(): never {
      throw new Error('nothing');
    }
  }
  const counted = new Counted();
  const own = language.with(counted);
  own.read({ jsonrpc: '2.0', id: 1, error: { code: 5, message: 'm' } });
  expect(counted.asked).toBe(1);
  expect(own.dialect('counted')).toMatchObject({ id: 'counted', title: 'Counted' });
  expect(own.dialect('mayday')).toBe(language.dialect('mayday'));
  expect(own.with().dialect('counted')).toBe(own.dialect('counted'));
});

it('a smaller language has the forms of the documents', () => {
  const small = createLanguage({ dialects: [erlmcp] });
  expect(formOf(small.dialect('erlmcp'))).toBe(formOf(erlmcp));
  expect(small.write(fault.timeout('x').fault, 'erlmcp', { id: 1 }).wire).toMatchObject({
    error: { code: -32009 },
  });
});
