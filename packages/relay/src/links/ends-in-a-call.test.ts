/** A process that ends in the middle of its work is explained to whoever asked, as far as its words are about nobody else. */
import { afterEach, expect, it } from 'vitest';
import { ask, message, request, STDIO_SERVER } from '../../test/tools.ts';
import { StdioLink } from './stdio-link.ts';
import type { StdioLinkOptions } from './stdio-options.ts';

const open: StdioLink[] = [];

function connect(options: Partial<StdioLinkOptions> = {}): StdioLink {
  const link = new StdioLink({ ...STDIO_SERVER, onMessage: () => {}, now: () => 0, ...options });
  open.push(link);
  return link;
}

afterEach(async () => {
  await Promise.all(open.splice(0).map((link) => link.close()));
});

/** Opens, lists, and ends with these words when it is asked for `dies`. */
function diesIn(dies: string, words = 'Error: cannot read database /srv/x.db'): string {
  return `require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, method } = JSON.parse(line);
    if (id === undefined) return;
    if (method !== ${JSON.stringify(dies)}) return console.log(JSON.stringify({ jsonrpc: '2.0', id, result: {} }));
    console.error(${JSON.stringify(words)});
    process.exit(2);
  })`;
}

const OPENED = 'The server process ended before it answered (exit code 2)';
const CORRECT = 'Correct what the server complains of: ';

it.each([
  [
    'tools/list',
    'Error: cannot read database /srv/x.db',
    'unavailable',
    'no',
    'Error: cannot read database /srv/x.db',
    `${CORRECT}its settings here, or the server itself.`,
  ],
  [
    'tools/list',
    'API_TOKEN is required',
    'misconfigured',
    'no',
    'the variable API_TOKEN is not set',
    'Set API_TOKEN under `env` of this server.',
  ],
  [
    'tools/call',
    "ENOENT: no such file 'notes.txt'",
    'disconnected',
    'maybe',
    "ENOENT: no such file 'notes.txt'",
    `${CORRECT}the arguments, its settings here, or the server itself.`,
  ],
])(
  'explains an end in the first %s after the opening: %s',
  async (method, words, kind, executed, why, advice) => {
    const link = connect({ args: ['-e', diesIn(method, words)] });
    await ask(link, request('initialize'));
    link.send(message({ jsonrpc: '2.0', method: 'notifications/initialized' }));
    await ask(link, request('prompts/list'));
    const { lost } = await ask(link, request(method));
    expect(lost).toMatchObject({ kind, executed, message: `${OPENED}: ${why}`, advice });
    expect(lost).toMatchObject({ details: { command: `${process.execPath} …`, exit_code: 2 } });
    await ask(link, request(method));
    expect((await ask(link, request(method))).lost).toMatchObject({
      executed: 'no',
      message: `${OPENED}: ${why}; it is not started again yet`,
    });
  },
);

const KILLED =
  'It was killed from outside, most often for want of memory: ask for less at once, or give the server more memory.';
const TERMINATED = 'It was told from outside to end; whoever runs it knows why.';

/** Ends in a call as this says. */
function endsBy(end: string): string {
  return diesIn('tools/call', 'Killed').replace('process.exit(2)', end);
}

it.each([
  ['process.exit(137)', 'exit code 137', KILLED],
  ["process.kill(process.pid, 'SIGKILL')", 'signal SIGKILL', KILLED],
  ['process.exit(143)', 'exit code 143', TERMINATED],
  ["process.kill(process.pid, 'SIGTERM')", 'signal SIGTERM', TERMINATED],
])('takes what was ended from outside for no complaint: %s', async (end, how, advice) => {
  const alone = connect({ args: ['-e', endsBy(end)] });
  await ask(alone, request('initialize'));
  const lost = { kind: 'disconnected', executed: 'maybe', advice };
  const told = `The server process ended before it answered (${how})`;
  expect((await ask(alone, request('tools/call'))).lost).toMatchObject({
    ...lost,
    message: expect.stringContaining(told),
  });
  const shared = connect({ args: ['-e', endsBy(end)], shared: true });
  await ask(shared, { ...request('tools/list'), caller: 'ann' });
  expect((await ask(shared, { ...request('tools/call', {}, 2), caller: 'bob' })).lost).toMatchObject({
    ...lost,
    message: told,
  });
});

it('does not tell one of many what a process said after another had asked it', async () => {
  const link = connect({ args: ['-e', diesIn('tools/call', 'no: ann')], shared: true });
  await ask(link, { ...request('tools/list'), caller: 'ann' });
  const { lost } = await ask(link, { ...request('tools/call', {}, 2), caller: 'bob' });
  expect(lost).toMatchObject({ kind: 'disconnected', executed: 'maybe', message: OPENED });
  expect(JSON.stringify(lost)).not.toContain('ann');
});

const DIED = { command: `${process.execPath} …`, exit_code: 2 };

it('names the command and its end to one of many, and where its words are', async () => {
  const link = connect({ args: ['-e', diesIn('tools/call', 'no: ann')], shared: true });
  await ask(link, { ...request('tools/list'), caller: 'ann' });
  const { lost } = await ask(link, { ...request('tools/call', {}, 2), caller: 'bob' });
  expect(lost).toHaveProperty('details', DIED);
  expect(lost).toHaveProperty('advice', 'What the process said last stands in the log of the gateway.');
});

const NO_FILE = "ENOENT: no such file 'notes.txt'";
const EXPLAINED = {
  kind: 'disconnected',
  executed: 'maybe',
  message: `${OPENED}: ${NO_FILE}`,
  advice: `${CORRECT}the arguments, its settings here, or the server itself.`,
  details: { ...DIED, stderr: NO_FILE },
};

it('explains an end in a call to somebody unknown, when others only asked what there is', async () => {
  const link = connect({ args: ['-e', diesIn('tools/call', NO_FILE)], shared: true });
  await Promise.all(
    ['server/discover', 'tools/list', 'prompts/list'].map((one, id) => ask(link, request(one, {}, id))),
  );
  expect((await ask(link, request('tools/call', {}, 9))).lost).toMatchObject(EXPLAINED);
});

/** Says something in every call, and ends in the one for this tool. */
const TALKS = `require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const dies = params?.name === 'dies';
  if (method === 'tools/call') console.error(dies ? ${JSON.stringify(NO_FILE)} : 'Error: words of earlier');
  if (dies) process.exit(2);
  setTimeout(() => console.log(JSON.stringify({ jsonrpc: '2.0', id, result: {} })), 50);
})`;

it.each<[string, Partial<StdioLinkOptions>, string | undefined]>([
  ['of its own', {}, undefined],
  ['of many, all of them asked for one', { shared: true, ofOne: true }, undefined],
  ['of many, when only one was there', { shared: true }, 'ann'],
])('explains an end in a later call of a process %s, in the words of that call', async (_of, how, caller) => {
  const link = connect({ args: ['-e', TALKS], ...how });
  await ask(link, { ...request('server/discover'), caller });
  for (const id of [1, 2]) await ask(link, { ...request('tools/call', { name: 'fine' }, id), caller });
  const { lost } = await ask(link, { ...request('tools/call', { name: 'dies' }, 3), caller });
  expect(lost).toMatchObject(EXPLAINED);
  expect(JSON.stringify(lost)).not.toContain('earlier');
});

it.each([undefined, 'bob'])(
  'keeps what a process says that has worked for others from %s',
  async (caller) => {
    const link = connect({ args: ['-e', TALKS], shared: true });
    await ask(link, { ...request('tools/call', { name: 'fine' }), caller: caller && 'ann' });
    const { lost } = await ask(link, { ...request('tools/call', { name: 'dies' }, 2), caller });
    expect(lost).toMatchObject({ kind: 'disconnected', executed: 'maybe', message: OPENED });
    expect(lost).toHaveProperty('details', DIED);
  },
);
