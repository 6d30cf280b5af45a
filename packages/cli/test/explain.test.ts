import { expect, test } from 'vitest';
import { answer, mayday } from './mayday.ts';

test('shows every meaning of -32001 and how to tell them apart', async () => {
  const { code, out, err } = await mayday(['explain', '-32001']);
  expect({ code, err }).toEqual({ code: 0, err: '' });
  await expect(out).toMatchFileSnapshot('./golden/explain-32001.txt');
});

test('shows a kind with all its codes', async () => {
  const { code, out } = await mayday(['explain', 'rate_limited']);
  expect(code).toBe(0);
  await expect(out).toMatchFileSnapshot('./golden/explain-rate-limited.txt');
});

test('says of no kind, in JSON either, that nothing was done', async () => {
  const { kind } = (await answer(['explain', 'rate_limited', '--json'], '')) as { kind: object };
  const happened =
    'Refused before the work, nothing was done; said by a tool that had begun, it may have been.';
  expect(kind).toMatchObject({ executed: 'maybe', happened });
});

test.each(['-32003', '-32602', 'ECONNREFUSED', 'UND_ERR_CONNECT_TIMEOUT'])(
  'says of no code that nothing was done, as of no kind: %s',
  async (code) => {
    const { meanings } = (await answer(['explain', code, '--json'], '')) as {
      meanings: readonly { executed: string; happened: string }[];
    };
    expect(meanings.filter(({ executed }) => executed === 'no')).toEqual([]);
    expect(meanings[0]?.happened).toBe(
      'Refused before the work, nothing was done; said by a tool that had begun, it may have been.',
    );
  },
);

test('says of wrong arguments only what they prove', async () => {
  const { out } = await mayday(['explain', 'invalid_arguments']);
  expect(out).not.toContain('out of range. Nothing was done');
});

test('names every source of -32001 in JSON', async () => {
  const explanation = (await answer(['explain', '-32001', '--json'], '')) as {
    meanings: { source: string; kind: string }[];
  };
  expect(explanation.meanings.map(({ source, kind }) => `${source} ${kind}`)).toEqual([
    'closient unauthenticated',
    'erlmcp not_found',
    'platica unauthenticated',
    'sdk-v1 timeout',
    'sdk-v1 not_found',
  ]);
  expect(explanation).toMatchObject({ as: 'code', range: { id: 'legacy', from: -32019, to: -32000 } });
});

test.each([
  ['3002', 'onx', 'timeout'],
  ['404', 'http', 'not_found'],
  ['599', 'http', 'internal'],
  ['1001', 'erlmcp', 'rate_limited'],
  ['-32022', 'mcp@2026-07-28', 'unsupported'],
  ['RATE_LIMIT_EXCEEDED', 'onx', 'rate_limited'],
  ['unauthorized', 'closient', 'unauthenticated'],
  ['ECONNREFUSED', 'errno', 'unavailable'],
  ['REQUEST_TIMEOUT', 'sdk-v2', 'timeout'],
  ['method not found', 'onx', 'unsupported'],
])('knows what %s means to %s', async (query, source, kind) => {
  const { meanings } = (await answer(['explain', '--json', ...query.split(' ')], '')) as {
    meanings: object[];
  };
  expect(meanings).toContainEqual(expect.objectContaining({ source, kind }));
});

test('reads a pasted message, as an argument and from standard input', async () => {
  const message =
    '{"jsonrpc":"2.0","id":1,"error":{"code":-32010,"message":"Rate limit exceeded","data":{"retry_after":30}}}';
  const pasted = await mayday(['explain', message]);
  const piped = await mayday(['explain'], message);
  expect(pasted.code).toBe(0);
  expect(pasted.out).toContain('Wait, then call again. Wait at least 30 s.');
  expect(piped).toEqual(pasted);
});

test('lists the candidates where a pasted message stays undecided', async () => {
  const message = '{"jsonrpc":"2.0","id":1,"error":{"code":-32001,"message":"nope"}}';
  const { reading, meanings } = (await answer(['explain', message, '--json'], '')) as {
    reading: object;
    meanings: object[];
  };
  expect(reading).toMatchObject({ kind: 'unknown', certainty: 0 });
  expect(meanings).toHaveLength(5);
});

test('reads free text', async () => {
  expect(await answer(['explain', 'connect ECONNREFUSED 127.0.0.1:5432', '--json'], '')).toMatchObject({
    as: 'message',
    reading: { kind: 'unavailable' },
  });
});

test('reads a sentence first, though somebody uses it as a name', async () => {
  const { code, out } = await mayday(['explain', 'Rate limit exceeded']);
  expect(code).toBe(0);
  expect(out).toMatch(
    /^rate_limited\n {2}message {3}Rate limit exceeded\n {2}reaction {2}retryable: wait, try again; /,
  );
  expect(out).toContain('  do        Wait, then call again.\n');
  expect(out).toContain('onx 3001 · RATE_LIMIT_EXCEEDED');
  expect(out).toContain('page      docs/faults/rate_limited.md');
});

test.each([
  ['rate_limted', 'rate_limited'],
  ['RateLimted', 'rate_limited'],
  ['ECONNREFUSD', 'ECONNREFUSED'],
  ['not-fuond', 'not_found'],
  ['unathenticated', 'unauthenticated'],
])('suggests for %s what was meant', async (typed, meant) => {
  const { suggestions } = (await answer(['explain', typed, '--json'], '')) as { suggestions: string[] };
  expect(suggestions).toContain(meant);
});

test('suggests near misses, and says with its status that it knows nothing', async () => {
  expect(await mayday(['explain', 'EAI_AGIAN'])).toEqual({
    code: 1,
    out:
      'Nothing is known as "EAI_AGIAN". Pass a code, a name, a kind, or paste the whole message.\n\n' +
      'near      EAI_AGAIN\n',
    err: '',
  });
});

test('suggests near misses of a name although it can be read as text', async () => {
  expect(await answer(['explain', 'RATE_LIMIT_EXCEDED', '--json'], '')).toMatchObject({
    as: 'message',
    reading: { kind: 'rate_limited' },
    suggestions: ['RATE_LIMIT_EXCEEDED', 'rate_limited'],
  });
});

test('tells the rule for a number that nobody defines', async () => {
  const { code, out } = await mayday(['explain', '-32500']);
  expect(code).toBe(1);
  expect(out).toContain('no system we know gives it a meaning');
  expect(out).toContain('codes of your own should lie outside');
});

test('never repeats control characters of a message', async () => {
  const { out } = await mayday(['explain', '{"error":{"code":-32603,"message":"\\u001b[31mred\\u0007"}}']);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not occur
  expect(out).not.toMatch(/[\u0000-\u0009\u000b-\u001f]/);
});

test('tells what one dialect means, and nobody else', async () => {
  const { meanings, dialect } = (await answer(
    ['explain', '-32001', '--dialect', 'platica', '--json'],
    '',
  )) as {
    meanings: object[];
    dialect: string;
  };
  expect(dialect).toBe('platica');
  expect(meanings).toEqual([
    expect.objectContaining({
      source: 'platica',
      kind: 'unauthenticated',
      steps: ['Send the Authorization header in Bearer pl_key_... format'],
    }),
  ]);
  const status = (await answer(['explain', '404', '--dialect', 'platica', '--json'], '')) as {
    meanings: object[];
  };
  expect(status.meanings).toHaveLength(1);
});

test('says that a dialect has no such code, and knows its other name', async () => {
  const { code, out } = await mayday(['explain', '3001', '--dialect', 'mcp']);
  expect(code).toBe(1);
  expect(out).toContain('3001  mcp@2026-07-28 gives it no meaning');
});

test('reads a message in the dialect that is named', async () => {
  const message = '{"jsonrpc":"2.0","id":1,"error":{"code":-32001,"message":"nope"}}';
  const { reading } = (await answer(['explain', message, '--dialect', 'erlmcp', '--json'], '')) as {
    reading: object;
  };
  expect(reading).toMatchObject({ kind: 'not_found', dialect: 'erlmcp' });
});

test.each(['explain -32001', 'catalog'])(
  '%s: offers the nearest dialect for one that is not there',
  async (words) => {
    const { code, err } = await mayday([...words.split(' '), '--dialect', 'platika']);
    expect(code).toBe(2);
    expect(err).toBe('mayday: --dialect knows no dialect "platika"; did you mean platica?\n');
  },
);

test('names the step that is missing before any other input', async () => {
  const { out } = await mayday(['explain', '-32005', '--dialect', 'erlmcp']);
  expect(out).toContain('do        A step before it is missing; take that first, then call again.');
  expect(out).toContain('steps     Send `initialize` request first;');
  expect(out).not.toContain('Change the input');
});

test.each(['Must specify a valid workspace', 'Must specify a valid workspace: one of ws_norte, ws_sur'])(
  'knows whose words these are: %s',
  async (words) => {
    const { code, out } = await mayday(['explain', words]);
    expect(code).toBe(0);
    expect(out).toContain('platica 400 Must specify a valid workspace');
    expect(out).toContain('steps     Pass workspace: "<id>" in the arguments');
  },
);
