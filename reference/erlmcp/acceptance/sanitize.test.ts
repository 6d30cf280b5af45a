import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { member } from '../../acceptance/library.ts';
import { SLOW } from '../../acceptance/program.ts';
import type { Wire } from '../../acceptance/wire.ts';
import { openWorld, type World } from './world.ts';

const SECRETS: [string, string, RegExp][] = [
  ['a password', 'password=hunter2correct', /hunter2correct/],
  ['a token', 'ghp_0123456789abcdefghijklmnopqrstuvwxyzAB', /0123456789abcdefghij/],
  ['an e-mail address', 'jane.doe@example.com', /jane\.doe/],
  ['an address with credentials', 'postgres://svc:s3cr3tpw@10.0.0.5:5432/prod', /s3cr3tpw|10\.0\.0\.5/],
];

/** Every place of a request that an error repeats. */
const PLACES: [string, (secret: string) => [string, Wire]][] = [
  ['a method', (secret) => [secret, {}]],
  ['a tool', (secret) => ['tools/call', { name: secret, arguments: {} }]],
  ['a resource', (secret) => ['resources/read', { uri: `note://${secret}` }]],
  ['a URI without a scheme', (secret) => ['resources/read', { uri: secret }]],
  ['a template', (secret) => ['resources/read', { uri: `${secret}://{day}` }]],
  ['a prompt', (secret) => ['prompts/get', { name: secret }]],
  ['a cursor', (secret) => ['tools/list', { cursor: secret }]],
  ['a task', (secret) => ['tasks/get', { taskId: secret }]],
  ['a progress token', (secret) => ['experimental/progress/get', { progressToken: secret }]],
  [
    'a content type',
    (secret) => ['tools/call', { name: 'save_note', arguments: { name: 'n', text: 'x', mimeType: secret } }],
  ],
  ['an argument', (secret) => ['tools/call', { name: 'calculate', arguments: { a: secret, [secret]: 1 } }]],
  [
    'a completion',
    (secret) => [
      'completion/complete',
      { ref: { type: 'ref/prompt', name: secret }, argument: { name: 'a', value: 'b' } },
    ],
  ],
  ['a capability', (secret) => ['logging/setLevel', { level: secret }]],
];

let world: World;
const said: string[] = [];
let log = '';
beforeAll(async () => {
  world = await openWorld(['--rate-limit', '100000']);
  for (const [, place] of PLACES) {
    for (const [, secret] of SECRETS) {
      const answer = await world.pipe.request(...place(secret));
      said.push(JSON.stringify(answer));
    }
  }
  const uri = `log://${new Date().toISOString().slice(0, 10)}`;
  log = JSON.stringify((await world.pipe.request('resources/read', { uri })).result ?? {});
}, SLOW);
afterAll(() => world.close());

describe.each(PLACES)('%s', (place) => {
  it(`ER-88 ER-89: ${place} that holds a secret is an error, and does not repeat it`, () => {
    const at = PLACES.findIndex(([name]) => name === place) * SECRETS.length;
    const answers = said.slice(at, at + SECRETS.length);
    expect(answers.every((answer) => answer.includes('"error"'))).toBe(true);
    expect(SECRETS.filter(([, , leak], row) => leak.test(answers[row] ?? '')).map(([name]) => name)).toEqual(
      [],
    );
  });
});

describe('what is written down', () => {
  it('ER-78 ER-87: is every error, with its code', () => {
    expect(log).toContain('Tool not found');
    expect(log).toContain('Method not found');
    expect(world.pipe.program.errors()).toContain('-32002');
  });

  it.each(SECRETS)('ER-88: is without %s, in log:// and on standard error', (_name, _secret, leak) => {
    expect(log).not.toMatch(leak);
    expect(world.pipe.program.errors()).not.toMatch(leak);
  });
});

describe('the helper that builds error responses', () => {
  it('ER-94: takes an id, a code and a message of one’s own', async () => {
    const create = await member('erlmcp', 'createErrorResponse');
    expect(create(1, -32700, 'Invalid JSON')).toEqual({
      jsonrpc: '2.0',
      id: 1,
      error: { code: -32700, message: 'Invalid JSON' },
    });
  });

  it('ER-89: repeats the id, sanitizes data, and leaves data out where there is none', async () => {
    const create = await member('erlmcp', 'createErrorResponse');
    const built = create('r-7', -32603, 'Internal error', { password: 'hunter2correct', attempt: 2 });
    expect(built).toMatchObject({ id: 'r-7', error: { data: { attempt: 2 } } });
    expect(JSON.stringify(built)).not.toContain('hunter2correct');
    expect(create(null, -32603, 'Internal error')).toEqual({
      jsonrpc: '2.0',
      id: null,
      error: { code: -32603, message: 'Internal error' },
    });
  });

  it('ER-5 ER-89: keeps data that is text as text', async () => {
    const create = await member('erlmcp', 'createErrorResponse');
    expect(create(1, -32700, 'Parse error', 'Unexpected token at position 15').error.data).toBe(
      'Unexpected token at position 15',
    );
  });
});
