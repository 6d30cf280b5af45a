/**
 * The same sentence, said by the same server: guarded by the kit, and plain behind a gateway. Both choose the same code in
 * the same place of the answer, in each document and in our own dialect. Where one of them knows more, the difference
 * stands here, with the reason.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { byGateway, byKit, closeAll, type Message, WAYS, type Way } from './said-twice.ts';

const DIALECTS = ['closient', 'onx', 'erlmcp', 'qaqnuz', 'platica', 'mayday'] as const;
type DialectName = (typeof DIALECTS)[number];

/** What tools that change something say after a part of it. */
const DONE = [
  'Payment booked as pay_991, but the receipt mail failed: 429 Too Many Requests',
  'Refund done; notification service said: rate limit exceeded',
  'Order created. Email provider: 429',
  'Order created. Email provider: rate limit exceeded, try again in 1 second',
  'Payment booked as pay_991, but the receipt mail failed: 503',
];

const SENTENCES = [
  'boom',
  'Something went wrong',
  '',
  'Order 17 not found',
  'Invalid date: 2026-13-01',
  'Quantity must be between 1 and 99',
  'Missing required parameter: city',
  'Permission denied',
  'Not authenticated: token expired',
  'Invalid API key',
  '429 Too Many Requests',
  'Rate limit exceeded, retry in 7 seconds',
  'Request failed with status code 503',
  'Request failed with status code 401',
  'Request failed with status code 403',
  'connect ECONNREFUSED 127.0.0.1:5432',
  'Request timed out',
  'Conflict: the record was changed meanwhile',
  'File too large (max 5 MB)',
  'Not implemented',
  'Parse error: bad CSV in line 3',
  'Invalid Request: the order was saved, but the mail failed',
  'MCP error -32601: Method not found',
  'MCP error -32602: bad cursor',
  'Approval required before deleting',
  'Quota exceeded for project',
  'Insufficient funds',
  'ENOENT: no such file or directory, open /srv/app/config.json',
  "Cannot read properties of undefined (reading 'id')",
  'Unexpected token < in JSON at position 0',
  'relation "orders" does not exist',
  'Canceled',
  'Template missing',
  'Überweisung fehlgeschlagen: Konto gesperrt',
  'not ready yet, indexing',
  'Unknown tool: foo',
  'Resource not found: x://1',
  'Prompt not found',
  ...DONE,
];

interface Pair {
  readonly kit: Message;
  readonly gateway: Message;
}

const answers = new Map<string, Pair>();
const answersTo = (dialect: DialectName, way: Way, sentence: string): Pair =>
  answers.get(`${dialect} ${way} ${sentence}`) as Pair;

beforeAll(async () => {
  const gateway = await byGateway(SENTENCES);
  for (const dialect of DIALECTS) {
    const kit = await byKit(SENTENCES, dialect);
    const ask = async (way: Way, n: number): Promise<void> => {
      const [one, other] = await Promise.all([kit(way, n), gateway(dialect, way, n)]);
      answers.set(`${dialect} ${way} ${SENTENCES[n]}`, { kit: one, gateway: other });
    };
    for (const n of SENTENCES.keys()) await Promise.all(WAYS.map((way) => ask(way, n)));
  }
}, 120_000);
afterAll(closeAll);

type Members = { readonly [key: string]: unknown };
const inside = (value: unknown, ...path: readonly string[]): unknown =>
  path.reduce<unknown>((at, name) => (at as Members | undefined)?.[name], value);
const textIn = (message: Message): string => String(inside(message.result, 'content', '0', 'text') ?? '');

/** The sentences that are qaqnuz' only codes. */
const QAQNUZ = [
  'Rate limit exceeded. Please wait before sending more requests.',
  'Unauthorized',
  'This tool is not available for your key.',
  'The call was not completed. It may have happened; check before you repeat a change.',
];

/** Place, code and `retryable`, as far as the dialect has them. */
function seen(dialect: DialectName, message: Message): string {
  if (dialect === 'mayday') {
    const fault = inside(message.result, '_meta', 'dev.mayday/fault') ?? message.error?.data;
    const kind = String(inside(fault, 'kind'));
    // Only the kit sees that it was an exception.
    const known = kind === 'unknown' ? 'internal' : kind;
    return `${message.error?.code ?? 'result'} ${known} ${String(inside(fault, 'retryable'))}`;
  }
  if (message.error !== undefined) {
    const retryable = inside(message.error.data, 'retryable');
    return `error ${message.error.code}${retryable === undefined ? '' : ` ${String(retryable)}`}`;
  }
  if (dialect === 'qaqnuz') return `result ${QAQNUZ.find((text) => text === textIn(message)) ?? 'words'}`;
  if (dialect === 'platica') return `result ${codeOfBody(message)}`;
  const error = inside(message.result, 'error');
  const retryable = inside(error, 'data', 'retryable') ?? inside(error, 'retryable');
  return `result ${String(inside(error, 'code'))} ${String(retryable)}`;
}

function codeOfBody(message: Message): string {
  return /^\{"code":(\d{3}),/.exec(textIn(message))?.[1] ?? 'words';
}

/** What differs, `kit | gateway`: of tools that throw, outside of tools, or in one way alone. */
type Difference = { readonly [W in Way | 'thrown' | 'outside']?: string };

interface Known {
  readonly sentences: readonly string[];
  readonly because: string;
  readonly in: { readonly [D in DialectName]?: Difference };
}

const DIFFERENCES: readonly Known[] = [
  {
    sentences: ['Invalid API key', 'Request failed with status code 401'],
    because:
      'what a handler throws is about the key that it used itself; who hears it from outside cannot know whose key it is',
    in: {
      closient: {
        thrown: 'result -32300 false | result -32001 false',
        outside: 'error -32300 false | error -32001 false',
      },
      onx: { outside: 'error -32603 | error -32600' },
      erlmcp: { resource: 'error -32603 | error -32051' },
      qaqnuz: { thrown: 'result words | result Unauthorized', outside: 'error -32603 | error -32600' },
      platica: { outside: 'error -32603 | error -32001' },
      mayday: {
        thrown: 'result misconfigured false | result unauthenticated false',
        outside: '-32603 misconfigured false | -32603 unauthenticated false',
      },
    },
  },
  {
    sentences: [
      'ENOENT: no such file or directory, open /srv/app/config.json',
      'relation "orders" does not exist',
    ],
    because:
      'the kit holds what is missing against what the caller has sent: no argument names it, so it is the server’s own',
    in: {
      closient: {
        thrown: 'result -32300 false | result -32200 false',
        outside: 'error -32300 false | error -32200 false',
      },
      onx: { outside: 'error -32603 | error -32602' },
      erlmcp: { resource: 'error -32603 | error -32001' },
      qaqnuz: { outside: 'error -32603 | error -32602' },
      platica: { outside: 'error -32603 | error -32602' },
      mayday: {
        thrown: 'result misconfigured false | result not_found false',
        outside: '-32603 misconfigured false | -32602 not_found false',
      },
    },
  },
  {
    sentences: ['Canceled'],
    because: 'the kit knows that nobody has taken the call back: it was something of the handler’s own',
    in: {
      closient: {
        thrown: 'result -32300 true | result -32201 false',
        outside: 'error -32300 true | error -32201 false',
      },
      mayday: {
        thrown: 'result internal false | result cancelled false',
        outside: '-32603 internal false | -32603 cancelled false',
      },
    },
  },
  {
    sentences: ['MCP error -32602: bad cursor'],
    because: 'the gateway has the server’s own -32603, which is more than a number in its words',
    in: {
      closient: { outside: 'error -32101 false | error -32300 true' },
      onx: { outside: 'error -32602 | error -32603' },
      erlmcp: { resource: 'error -32602 | error -32603' },
      qaqnuz: { outside: 'error -32602 | error -32603' },
      platica: { outside: 'error -32602 | error -32603' },
      mayday: { outside: '-32602 invalid_arguments false | -32603 internal false' },
    },
  },
  {
    sentences: ['Template missing'],
    because:
      'two words are a guess: about input to the kit, which has seen the call; to the gateway no more than the server’s -32603',
    in: {
      closient: {
        thrown: 'result -32102 false | result -32101 false',
        outside: 'error -32102 false | error -32300 true',
      },
      onx: { thrown: 'result 4001 false | result 2001 false', outside: 'error -32602 | error -32603' },
      erlmcp: { resource: 'error -32007 | error -32603' },
      qaqnuz: { outside: 'error -32602 | error -32603' },
      platica: { outside: 'error -32602 | error -32603' },
      mayday: {
        thrown: 'result unprocessable false | result invalid_arguments false',
        outside: '-32602 unprocessable false | -32602 invalid_arguments false',
      },
    },
  },
  {
    sentences: ['Payment booked as pay_991, but the receipt mail failed: 503'],
    because:
      'to the kit, what tells of something done is more than a service that is down; where nothing is changed, both are safe',
    in: {
      onx: { reads: 'result 4001 false | result 4002 true' },
      erlmcp: { resource: 'error -32603 | error -32008' },
      mayday: {
        throws: 'result internal false | result unavailable false',
        reads: 'result internal false | result unavailable true',
        outside: '-32603 internal false | -32603 unavailable true',
      },
    },
  },
  {
    sentences: ['Resource not found: x://1'],
    because:
      'the gateway reads an error of the protocol, whose sentences name resources; the kit an exception',
    in: { mayday: { outside: '-32602 not_found false | -32002 not_found false' } },
  },
];

const THROWN: readonly Way[] = ['throws', 'reads'];
const OUTSIDE: readonly Way[] = ['resource', 'prompt'];
const isOutside = (way: Way): boolean => OUTSIDE.includes(way);

function expected(dialect: DialectName, sentence: string): readonly string[] {
  const known = DIFFERENCES.find(({ sentences }) => sentences.includes(sentence))?.in[dialect] ?? {};
  return WAYS.flatMap((way) => {
    const said =
      known[way] ?? (isOutside(way) ? known.outside : way === 'returns' ? undefined : known.thrown);
    return said === undefined ? [] : [`${way}: ${said}`];
  });
}

/** Behind a gateway, what a tool threw is the body that it answered, like any other: Platica passes bodies on as they came. */
const comparable = (dialect: DialectName): readonly Way[] =>
  dialect === 'platica' ? WAYS.filter((way) => !THROWN.includes(way)) : WAYS;

describe.each(DIALECTS)('in %s', (dialect) => {
  it.each(SENTENCES)('kit and gateway choose alike for: %s', (sentence) => {
    const found = comparable(dialect).map((way) => {
      const { kit, gateway } = answersTo(dialect, way, sentence);
      return { way, kit: seen(dialect, kit), gateway: seen(dialect, gateway) };
    });
    const differing = found.filter(({ kit, gateway }) => kit !== gateway);
    expect(differing.map(({ way, kit, gateway }) => `${way}: ${kit} | ${gateway}`)).toEqual(
      expected(dialect, sentence),
    );
  });
});

/** Every answer of a dialect, with where it came from. */
function all(
  dialect: DialectName,
): { readonly way: Way; readonly message: Message; readonly from: string }[] {
  return WAYS.flatMap((way) =>
    SENTENCES.flatMap((sentence) => {
      const { kit, gateway } = answersTo(dialect, way, sentence);
      return [
        { way, message: kit, from: `kit, ${way}: ${sentence}` },
        { way, message: gateway, from: `gateway, ${way}: ${sentence}` },
      ];
    }),
  );
}

it.each(['429 Too Many Requests', 'Rate limit exceeded, retry in 7 seconds'])(
  'ER-33 in erlmcp, a limit in words is waited out where nothing is changed, and only there: %s',
  (sentence) => {
    const codes = (way: Way): unknown[] => {
      const { kit, gateway } = answersTo('erlmcp', way, sentence);
      return [kit.error?.code, gateway.error?.code];
    };
    expect(Object.fromEntries(WAYS.map((way) => [way, codes(way)]))).toEqual({
      throws: [-32031, -32031],
      returns: [-32031, -32031],
      reads: [-32010, -32010],
      resource: [-32010, -32010],
      prompt: [-32010, -32010],
    });
  },
);

describe('whatever the sentence, the codes are the document’s own, in their place', () => {
  const NAMES: { readonly [code: number]: string } = {
    [-32001]: 'unauthorized',
    [-32002]: 'forbidden',
    [-32003]: 'rate_limited',
    [-32100]: 'bad_request',
    [-32101]: 'validation_error',
    [-32102]: 'unprocessable_entity',
    [-32200]: 'not_found',
    [-32201]: 'conflict',
    [-32300]: 'internal_error',
  };

  it('Closient: nine codes with their names, in results of tools, at the top outside', () => {
    for (const { way, message, from } of all('closient')) {
      const error = isOutside(way) ? message.error : inside(message.result, 'error');
      const name = inside(error, 'data', 'error_code');
      expect(name, from).toBe(NAMES[Number(inside(error, 'code'))] ?? 'a code of the table');
      expect(inside(error, 'data', 'type'), from).toBe(`https://closient.com/docs/errors/${String(name)}`);
    }
  });

  it('onX: eight codes in results of tools, with their `retryable`; of JSON-RPC’s five outside those of a request that was read', () => {
    const ALWAYS: { readonly [code: number]: readonly boolean[] } = {
      2001: [false],
      2002: [false],
      2003: [false],
      3001: [true],
      3002: [true],
      4001: [false, true],
      4002: [true],
      5001: [false],
    };
    for (const { way, message, from } of all('onx')) {
      const error = inside(message.result, 'error');
      const flags = isOutside(way) ? [undefined] : (ALWAYS[Number(inside(error, 'code'))] ?? []);
      expect(flags, from).toContain(inside(error, 'retryable'));
      const codes = isOutside(way) ? [-32600, -32602, -32603] : [undefined];
      expect(codes, from).toContain(message.error?.code);
    }
  });

  it('erlmcp: errors of the protocol, by its table', () => {
    const CODES = [
      -32602, -32603, -32001, -32003, -32004, -32007, -32008, -32009, -32010, -32013, -32014, -32025, -32031,
      -32044, -32051, -32052,
    ];
    for (const { message, from } of all('erlmcp')) expect(CODES, from).toContain(message.error?.code);
    const changes = all('erlmcp').filter(({ way }) => way === 'throws' || way === 'returns');
    for (const { message, from } of changes) expect(message.error?.code, from).toBe(-32031);
    const reads = all('erlmcp').filter(({ way }) => way === 'reads');
    for (const { message, from } of reads) expect([-32031, -32010], from).toContain(message.error?.code);
  });

  it('qaqnuz: one text and nothing beside it; outside of tools JSON-RPC’s own, without data', () => {
    for (const { way, message, from } of all('qaqnuz')) {
      const members = Object.keys(message.result ?? message.error ?? {}).sort();
      expect(members, from).toEqual(isOutside(way) ? ['code', 'message'] : ['content', 'isError']);
      const codes = isOutside(way) ? [-32600, -32602, -32603] : [undefined];
      expect(codes, from).toContain(message.error?.code);
    }
  });

  it('Platica: bodies of tools; its own codes without data', () => {
    for (const { way, message, from } of all('platica')) {
      const codes = isOutside(way) ? [-32001, -32601, -32602, -32603] : [undefined, -32603];
      expect(codes, from).toContain(message.error?.code);
      expect(Object.keys(message.error ?? { code: 0, message: '' }), from).toEqual(['code', 'message']);
      expect(message.error !== undefined || message.result?.['isError'] === true, from).toBe(true);
    }
  });

  const MARKS: { readonly [D in DialectName]: RegExp } = {
    closient: /closient\.com|"error_code"/,
    onx: /"originalError"|ADAPTER_ERROR|BACKEND_UNAVAILABLE/,
    erlmcp: /Tool execution failed|Prompt render failed/,
    qaqnuz: /Please wait before sending more requests|not available for your key/,
    platica: /\\?"code\\?":\d{3},\\?"error\\?":/,
    mayday: /dev\.mayday\/fault/,
  };

  it.each(DIALECTS)('%s has no other’s words', (dialect) => {
    const others = DIALECTS.filter((other) => other !== dialect).map((other) => MARKS[other]);
    for (const { message, from } of all(dialect))
      for (const mark of others) expect(JSON.stringify(message), from).not.toMatch(mark);
  });
});

describe('a change that tells of something done is not told as one to repeat', () => {
  const WAITED_OUT = /wait, then|try again|back off|please wait/i;

  it.each(DONE)('%s', (sentence) => {
    for (const dialect of DIALECTS)
      for (const way of ['throws', 'returns'] as const)
        for (const message of Object.values(answersTo(dialect, way, sentence)) as Message[]) {
          const from = `${dialect}, ${way}`;
          expect(JSON.stringify(message), from).not.toMatch(/\\?"retryable\\?":true/);
          expect([-32009, -32010], from).not.toContain(message.error?.code);
          // What the tool said itself is not ours.
          expect(JSON.stringify(message).replaceAll(sentence, ''), from).not.toMatch(WAITED_OUT);
        }
  });
});
