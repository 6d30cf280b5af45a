import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { checkArguments, invalidArguments, issuesFromDump, toIssues } from './validation.ts';

const ORDER = z.strictObject({ orderId: z.string(), amount: z.number().min(1).optional() });

async function issues(args: unknown, schema: unknown = ORDER, sentence = ''): Promise<readonly object[]> {
  const { fault } = await invalidArguments('tool', 'refund', schema, args, sentence);
  expect(fault).toMatchObject({
    kind: 'invalid_arguments',
    message: 'Invalid arguments for tool refund',
    subject: { type: 'tool', id: 'refund' },
  });
  return fault.issues;
}

const required = (message: string, path = ['orderId']) => ({ path, message, code: 'required' });

describe('what is wrong with arguments', () => {
  it.each([
    [undefined, [required('required, expected string')]],
    [{}, [required('required, expected string')]],
    [
      { orderId: 7 },
      [{ path: ['orderId'], message: 'expected string, received number', code: 'invalid_type' }],
    ],
    [
      { order_id: 'a' },
      [
        required('required, expected string (you sent order_id, did you mean orderId?)'),
        {
          path: ['order_id'],
          message: 'unknown argument, did you mean orderId?',
          code: 'unrecognized_keys',
        },
      ],
    ],
    [
      { number: 'a' },
      [
        required('required, expected string (you sent number, did you mean orderId?)'),
        { path: ['number'], message: 'unknown argument', code: 'unrecognized_keys' },
      ],
    ],
    [
      { number: 'a', colour: 'b' },
      [
        required('required, expected string'),
        { path: ['number'], message: 'unknown argument', code: 'unrecognized_keys' },
        { path: ['colour'], message: 'unknown argument', code: 'unrecognized_keys' },
      ],
    ],
    [
      { orderId: 'a', amount: 0 },
      [{ path: ['amount'], message: 'Too small: expected number to be >=1', code: 'too_small' }],
    ],
  ])('%j', async (args, expected) => {
    expect(await issues(args)).toEqual(expected);
  });

  it('two that are missing are not one stranger', async () => {
    const schema = z.object({ first: z.string(), second: z.string() });
    expect(await issues({ colour: 1 }, schema)).toEqual([
      required('required, expected string', ['first']),
      required('required, expected string', ['second']),
    ]);
  });

  it('what is further down suggests nothing, and a stranger’s name is cut', async () => {
    const schema = z.object({ order: z.object({ id: z.string() }) });
    expect(await issues({ order: {}, x: 1 }, schema)).toEqual([
      { path: ['order', 'id'], message: 'required, expected string', code: 'required' },
    ]);
    const [issue] = (await issues({ ['y'.repeat(99)]: 1 })) as { message: string }[];
    expect(issue?.message).toBe(
      `required, expected string (you sent ${'y'.repeat(64)}, did you mean orderId?)`,
    );
  });

  it('a schema that is no Zod’s says what it knows, if it can', async () => {
    const standard = (jsonSchema: unknown) => ({
      '~standard': {
        validate: () => ({ issues: [{ message: 'received undefined', path: [{ key: 'orderId' }] }] }),
        jsonSchema,
      },
    });
    const known = standard({ input: () => ({ properties: { orderId: {}, note: {} } }) });
    expect(await issues({ note: 1, order_id: 1 }, known)).toEqual([
      required('required (you sent order_id, did you mean orderId?)'),
    ]);
    const silent = [
      undefined,
      { input: () => ({}) },
      {
        input() {
          throw new Error('no');
        },
      },
    ];
    for (const jsonSchema of silent)
      expect(await issues({ a: 1, b: 1 }, standard(jsonSchema))).toEqual([required('required')]);
  });

  it.each([
    [
      'Input validation error: Invalid arguments for tool refund: n: Too small',
      [{ path: [], message: 'n: Too small' }],
    ],
    [
      'MCP error -32602: Input validation error: Invalid arguments for tool refund: [{"message":"Odd","path":["n",0]}]',
      [{ path: ['n', 0], message: 'Odd' }],
    ],
    ['Something else', []],
  ])('where no schema can be asked, it is in the sentence: %s', async (sentence, expected) => {
    const throwing = {
      '~standard': {
        validate() {
          throw new Error('no');
        },
      },
    };
    for (const schema of [null, throwing, z.object({})])
      expect(await issues({}, schema, sentence)).toEqual(expected);
  });

  it('is thrown for who calls the work in another way, and what is right comes back as the schema has it', async () => {
    const schema = z.object({ n: z.number().default(7) });
    expect(await checkArguments('refund', schema, undefined)).toEqual({ n: 7 });
    await expect(checkArguments('refund', ORDER, { orderId: 7 })).rejects.toMatchObject({
      fault: { message: 'Invalid arguments for tool refund', issues: [{ path: ['orderId'] }] },
    });
  });
});

describe('an issue', () => {
  it.each([
    [{ message: 'Odd' }, [{ path: [], message: 'Odd' }]],
    [{ message: 'Odd', code: 7 }, [{ path: [], message: 'Odd' }]],
    [{ message: 'Odd', expected: 'date' }, [{ path: [], message: 'Odd, expected date' }]],
    [{ message: 'Odd', expected: 7 }, [{ path: [], message: 'Odd' }]],
    [
      { message: 'Invalid option: expected one of "a"', expected: 'a' },
      [{ path: [], message: 'expected one of "a"' }],
    ],
    [{ message: 'Invalid input: odd' }, [{ path: [], message: 'Invalid input: odd' }]],
    [
      { message: 'Odd', path: ['a', 0, { key: 'b' }, Symbol('s')] },
      [{ path: ['a', 0, 'b', 'Symbol(s)'], message: 'Odd' }],
    ],
    [
      { message: 'Odd', code: 'unrecognized_keys', path: ['a'], keys: ['b', 7] },
      [
        { path: ['a', 'b'], message: 'unknown argument', code: 'unrecognized_keys' },
        { path: ['a', '7'], message: 'unknown argument', code: 'unrecognized_keys' },
      ],
    ],
    [
      { message: 'Odd', code: 'unrecognized_keys' },
      [{ path: [], message: 'Odd', code: 'unrecognized_keys' }],
    ],
    [{ message: 'Odd', code: 'other', keys: ['b'] }, [{ path: [], message: 'Odd', code: 'other' }]],
  ])('%o', (issue, expected) => {
    expect(toIssues(issue)).toEqual(expected);
  });

  it('is found in a validator’s JSON and nowhere else', () => {
    expect(issuesFromDump('[]')).toEqual([]);
    expect(issuesFromDump('x [{"message":"Odd"}]')).toEqual([{ path: [], message: 'Odd' }]);
    for (const other of [
      '',
      'Odd',
      '[1]',
      '[null]',
      'array[0] is odd',
      '[{"message":7}]',
      '[{"message":"a"},{}]',
    ])
      expect(issuesFromDump(other)).toBeUndefined();
  });
});
