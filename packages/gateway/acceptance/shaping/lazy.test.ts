/** Lazy discovery, from docs/shaping.md: three tools that find, describe and call all others. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { scratch, startGateway } from '../support/gateway.ts';
import { at } from '../support/house.ts';
import { type Message, post, words } from '../support/http.ts';
import { type HttpPuppet, startHttpPuppet } from '../support/http-puppet.ts';
import { keepGateway } from '../support/keep.ts';
import { call } from '../support/messages.ts';
import { fate } from '../support/policy.ts';
import { executions } from '../support/puppet.ts';
import { definitions, found, names, PATIENT, told, tool } from '../support/shaping.ts';
import { stdio } from '../support/world.ts';

const ANN = 'ann-key-0123456789';
const BOB = 'bob-key-0123456789';
const LONG = `First line of it.\nSecond line. ${'word '.repeat(100)}`;
const FILES = [
  tool('read_text_file', {
    title: 'Reader',
    description: 'Gives the whole content of a document.',
    annotations: { readOnlyHint: true },
  }),
  tool('listDirectory', { description: 'Shows what is in a folder.' }),
  tool('move-file', { description: LONG }),
  tool('call_tool', { description: 'A tool that is called like one of the three.' }),
  tool('read', { description: 'Nothing to say.' }),
  tool('secret_thing', { description: 'For nobody.' }),
];
const MANY = Array.from({ length: 60 }, (_, index) => tool(`thing_${index}`));
const RESULT =
  '{"jsonrpc":"2.0","id":$ID,"result":{"content":[ {"type":"text","text":"\\u0068i"}],"n":1.50}}';

const folder = scratch();
const ledger = join(folder, 'ledger');
let [files, many]: HttpPuppet[] = [];
beforeAll(async () => {
  [files, many] = await Promise.all([
    startHttpPuppet({ tools: FILES, ledger }),
    startHttpPuppet({ tools: MANY }),
  ]);
});
afterAll(async () => {
  await Promise.all([files?.close(), many?.close()]);
  rmSync(folder, { recursive: true });
});
const gateway = keepGateway(
  () =>
    startGateway({
      keys: [
        { name: 'ann', key: ANN },
        { name: 'bob', key: BOB },
      ],
      access: { rules: [{ deny: ['files/read*'], callers: ['bob'] }] },
      limits: { rates: [{ calls: 3, per_ms: 600_000, by: ['caller', 'tool'], tools: ['files/read'] }] },
      joined: { discovery: 'lazy', ...PATIENT },
      upstreams: {
        files: {
          url: files?.url,
          tools: {
            deny: ['secret_*'],
            descriptions: { read: 'Zebra.' },
          },
        },
        many: { url: many?.url, tools: { discovery: 'lazy' } },
        gone: { url: 'http://127.0.0.1:1/mcp' },
        s: stdio(),
      },
      virtual: {
        desk: { tools: ['files/*'], rename: { 'files/read_text_file': 'open' }, discovery: 'lazy' },
      },
    }),
  [ledger],
);
const search = (args: object, endpoint = '', key = ANN): Promise<Message> =>
  found(gateway(), endpoint, 'search_tools', args, { key });
const tops = async (args: object, endpoint = '', key = ANN): Promise<string[]> =>
  (await search(args, endpoint, key))['tools'].map(({ name }: Message) => name);

describe('a list', () => {
  it.each(['', 'many', 'desk'])('at /%s has three tools, with their arguments', async (endpoint) => {
    const [one, two, three, ...rest] = await definitions(gateway(), endpoint, { key: ANN });
    expect([one?.['name'], two?.['name'], three?.['name']]).toEqual([
      'search_tools',
      'describe_tools',
      'call_tool',
    ]);
    expect(rest).toEqual([]);
    expect(Object.keys(one?.['inputSchema'].properties)).toEqual(['query', 'limit']);
    expect(Object.keys(two?.['inputSchema'].properties)).toEqual(['names']);
    expect(Object.keys(three?.['inputSchema'].properties)).toEqual(['name', 'arguments']);
  });

  it('is full at the own endpoint of an upstream that does not say otherwise', async () => {
    expect(await names(gateway(), 'files', { key: ANN })).toEqual([
      'read_text_file',
      'listDirectory',
      'move-file',
      'call_tool',
      'read',
    ]);
  });
});

describe('search_tools', () => {
  it('finds all tools without a query, ten of them without a limit', async () => {
    const { tools, found: fit, total } = await search({}, 'many');
    expect([tools.length, fit, total]).toEqual([10, 60, 60]);
  });

  it.each([
    [1, 1],
    [50, 50],
  ])('with a limit of %d gives %d', async (limit, count) => {
    expect((await search({ limit }, 'many'))['tools']).toHaveLength(count);
  });

  it('answers in structured content, and the same as JSON in a text', async () => {
    const { message } = await post(at(gateway(), ''), call('search_tools', { query: 'read text file' }), {
      key: ANN,
    });
    const { content, structuredContent } = message['result'];
    expect(content).toHaveLength(1);
    expect(JSON.parse(content[0].text)).toEqual(structuredContent);
    expect(structuredContent.tools[0]).toEqual({
      name: 'files_read_text_file',
      description: 'Gives the whole content of a document.',
    });
  });

  it('names upstreams that are missing', async () => {
    expect((await search({ query: 'read' }))['unavailable']).toEqual(['gone']);
  });

  it.each(['readTextFile', 'read_text_file', 'read-text-file', 'READ text FILE', 'files_read_text_file'])(
    '%s is found first',
    async (query) => {
      expect((await tops({ query }))[0]).toBe('files_read_text_file');
    },
  );

  it.each([
    ['the title', 'reader', 'files_read_text_file'],
    ['the description', 'folder', 'files_listDirectory'],
    ['the beginning of a word', 'direct', 'files_listDirectory'],
    ['a word that is longer than one of the tool’s', 'documents', 'files_read_text_file'],
    ['a description of the file', 'zebra', 'files_read'],
  ])('fits %s', async (_what, query, name) => {
    expect(await tops({ query })).toContain(name);
  });

  it('puts the tool that is called so first', async () => {
    expect((await tops({ query: 'files_read' }))[0]).toBe('files_read');
    expect((await tops({ query: 'read' }, 'desk'))[0]).toBe('files_read');
  });

  it('describes in one line of 200 characters at most', async () => {
    const { tools } = await search({ query: 'files_move-file' });
    const { description } = tools.find(({ name }: Message) => name === 'files_move-file');
    expect(description.length).toBeLessThanOrEqual(200);
    expect(description).not.toContain('\n');
    expect(description).toContain('First line of it.');
  });

  it('says what may have been meant where nothing fits', async () => {
    const { tools, found: fit, did_you_mean } = await search({ query: 'files_lsitDirectory' });
    const nothing = await search({ query: 'qqqqqqqqqqqq' });
    expect([tools, fit, did_you_mean].at(-1) ?? tools[0]?.name).toBe('files_listDirectory');
    expect(nothing).toMatchObject({ tools: [], found: 0 });
    expect(nothing).not.toHaveProperty('did_you_mean');
  });

  it('finds under the names of this endpoint, and by what it says there', async () => {
    expect(await tops({ query: 'document' }, 'desk')).toEqual(['open']);
    expect(await tops({ query: 'document' })).toEqual(['files_read_text_file']);
  });

  it('finds nothing that the caller may not use, nor what is not there', async () => {
    expect(await tops({ query: 'read', limit: 50 }, 'desk', BOB)).toEqual([]);
    expect(await tops({ query: 'nobody' })).toEqual([]);
    const { total } = await search({}, 'desk', BOB);
    expect(total).toBe(3);
    expect((await search({}, 'desk', ANN))['total']).toBe(5);
  });
});

describe('describe_tools', () => {
  it('gives whole definitions, as they would be listed', async () => {
    const { tools, unknown } = await found(
      gateway(),
      'desk',
      'describe_tools',
      { names: ['open', 'files_raed', 'files_read'] },
      { key: ANN },
    );
    expect(tools).toEqual([
      {
        name: 'open',
        title: 'Reader',
        description: 'Gives the whole content of a document.',
        inputSchema: { type: 'object' },
        annotations: { readOnlyHint: true },
      },
      { name: 'files_read', description: 'Zebra.', inputSchema: { type: 'object' } },
    ]);
    expect(unknown).toEqual([{ name: 'files_raed', did_you_mean: 'files_read' }]);
  });

  it('knows nothing of what the caller may not use', async () => {
    const request = { names: ['files_read', 'files_call_tool'] };
    const { tools, unknown } = await found(gateway(), 'desk', 'describe_tools', request, { key: BOB });
    expect(tools.map(({ name }: Message) => name)).toEqual(['files_call_tool']);
    expect(unknown.map(({ name }: Message) => name)).toEqual(['files_read']);
    expect(JSON.stringify(unknown)).not.toContain('open');
  });
});

describe('call_tool', () => {
  it.each([
    ['', 'files_read_text_file'],
    ['desk', 'open'],
  ])('at /%s answers for %s with the bytes that came', async (endpoint, name) => {
    const args = { name, arguments: { script: [{ head: 200 }, { say: RESULT }] } };
    const { body } = await post(at(gateway(), endpoint), call('call_tool', args), { key: ANN });
    expect(body).toContain(RESULT.replace('$ID', '1'));
  });

  it('is not needed, unless the tool has its name', async () => {
    expect(await told(gateway(), '', 'files_listDirectory', {}, { key: ANN })).toBe('listDirectory: fine');
    expect(await told(gateway(), 'many', 'thing_7', {}, { key: ANN })).toBe('thing_7: fine');
    const own = { name: 'files_call_tool', arguments: { text: 'x' } };
    expect(await told(gateway(), 'desk', 'call_tool', own, { key: ANN })).toBe('call_tool: x');
  });

  it('passes `_meta` on', async () => {
    const request = call('call_tool', { name: 'files_listDirectory', arguments: { text: 'here' } });
    request['params']._meta = { progressToken: 'p-1', 'example.com/mine': [1] };
    await post(at(gateway(), ''), request, { key: ANN });
    const arrived = files?.arrivals.find(({ body }) => body.includes('p-1'));
    const { params } = JSON.parse(arrived?.body ?? '{}');
    expect(params.name).toBe('listDirectory');
    expect(params.arguments).toEqual({ text: 'here' });
    expect(params._meta).toMatchObject({ progressToken: 'p-1', 'example.com/mine': [1] });
  });

  it('takes an idempotency key for the tool, at whatever endpoint', async () => {
    const meta = { 'dev.mayday/idempotency-key': 'once-0001' };
    const args = { key: 'idem', text: 'one' };
    const bare = call('listDirectory', args);
    bare['params']._meta = meta;
    const lazy = call('call_tool', { name: 'files_listDirectory', arguments: args });
    lazy['params']._meta = meta;
    const fates = [
      fate((await post(at(gateway(), 'files'), bare, { key: ANN })).message),
      fate((await post(at(gateway(), ''), lazy, { key: ANN })).message),
    ];
    expect(fates).toEqual(['fine', 'fine']);
    expect(executions(ledger, 'idem')).toBe(1);
  });

  it('is refused by rules as the tool is', async () => {
    const args = { name: 'files_read', arguments: { key: 'bob' } };
    const { message } = await post(at(gateway(), ''), call('call_tool', args), { key: BOB });
    expect(fate(message)).toMatch(/\/no$/);
    expect(executions(ledger, 'bob')).toBe(0);
  });

  it('counts for the limit of the tool; searching and describing do not', async () => {
    for (let time = 0; time < 4; time += 1) {
      await search({ query: 'files_read' });
      await found(gateway(), '', 'describe_tools', { names: ['files_read'] }, { key: ANN });
    }
    const args = { name: 'files_read', arguments: {} };
    const fates = [
      await told(gateway(), '', 'call_tool', args, { key: ANN }),
      await told(gateway(), 'files', 'read', {}, { key: ANN }),
      await told(gateway(), 'desk', 'call_tool', args, { key: ANN }),
      await told(gateway(), '', 'call_tool', args, { key: ANN }),
    ];
    expect(fates).toEqual(['read: fine', 'read: fine', 'read: fine', 'rate_limited/no']);
  });

  it('tells the model what was probably meant', async () => {
    const { message } = await post(at(gateway(), 'desk'), call('call_tool', { name: 'files_raed' }), {
      key: ANN,
    });
    expect(message['result']?.isError).toBe(true);
    expect(words(message)).toContain(
      'Invalid arguments for tool call_tool: name: Unknown tool: files_raed. Did you mean files_read? Find tools with search_tools.',
    );
  });
});

describe('wrong arguments are told to the model', () => {
  it.each([
    ['search_tools', { limit: 0 }],
    ['search_tools', { limit: 51 }],
    ['search_tools', { limit: 1.5 }],
    ['search_tools', { query: 7 }],
    ['search_tools', { query: ['read'] }],
    ['describe_tools', {}],
    ['describe_tools', { names: [] }],
    ['describe_tools', { names: 'read' }],
    ['describe_tools', { names: Array.from({ length: 21 }, () => 'read') }],
    ['describe_tools', { names: [1] }],
    ['call_tool', {}],
    ['call_tool', { name: 1 }],
    ['call_tool', { name: 'files_read', arguments: 'x' }],
    ['call_tool', { name: 'files_read', arguments: [] }],
    ['call_tool', { name: 'call_tool' }],
    ['call_tool', { name: 'search_tools' }],
  ])('%s with %j', async (name, args) => {
    const { message } = await post(at(gateway(), 'desk'), call(name, args), { key: ANN });
    expect(message['result']?.isError).toBe(true);
    expect(fate(message)).toBe('invalid_arguments/no');
    expect(words(message)).toContain(`Invalid arguments for tool ${name}`);
  });
});
