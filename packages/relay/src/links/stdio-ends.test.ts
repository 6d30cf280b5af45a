/** However a process or a request ends: everybody is told once, and what is known about the work is true. */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import { ask, message, request, STDIO_SERVER } from '../../test/tools.ts';
import { peek } from '../framing/peek.ts';
import type { Sink } from './link.ts';
import { OWN_OPENING } from './own-opening.ts';
import type { ProcessExit } from './process-exit.ts';
import { StdioLink } from './stdio-link.ts';
import type { StdioLinkOptions } from './stdio-options.ts';

const open: StdioLink[] = [];
const notes: string[] = [];
let clock = 0;

function connect(options: Partial<StdioLinkOptions> = {}): StdioLink {
  const link = new StdioLink({
    ...STDIO_SERVER,
    onMessage: () => {},
    onNote: (note) => notes.push(note),
    now: () => clock,
    ...options,
  });
  open.push(link);
  return link;
}

afterEach(async () => {
  await Promise.all(open.splice(0).map((link) => link.close()));
  notes.length = 0;
});

function recorder(): { sink: Sink; told: string[] } {
  const told: string[] = [];
  return {
    told,
    sink: {
      answered: (bytes) => told.push(`answered ${bytes}`),
      related: () => told.push('related'),
      lost: (fault) => told.push(`lost ${fault.kind}`),
    },
  };
}

it('says nothing after a request was cancelled, and tells the server', async () => {
  const link = connect();
  const { sink, told } = recorder();
  const progress =
    '{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"p","progress":1}}';
  const lines = [progress, '{"jsonrpc":"2.0","id":$ID,"result":{"late":true}}'];
  const cancel = link.request(request('say', { lines, _meta: { progressToken: 'p' } }), sink);
  cancel('too slow');
  cancel('again');
  expect((await ask(link, request('cancelled'))).answer?.result).toEqual({ cancelled: [1] });
  expect([told, link.pending, notes]).toEqual([[], 0, []]);
});

it('says nothing after a refused request was cancelled', async () => {
  const link = connect();
  await link.close();
  const { sink, told } = recorder();
  link.request(request('echo'), sink)();
  expect((await ask(link, request('echo'))).lost).toMatchObject({ kind: 'unavailable', executed: 'no' });
  expect(told).toEqual([]);
});

it.each(['{"id":1,"method":"x","params":{bad}}', '{"method":"x"}', '[]', ''])(
  'does not send %j',
  async (text) => {
    const body = Buffer.from(text);
    const link = connect();
    expect((await ask(link, { body, peek: peek(body), revision: '2025-11-25' })).lost).toMatchObject({
      kind: 'invalid_request',
      executed: 'no',
    });
    expect(link.pid).toBeUndefined();
  },
);

it('tells those who wait when it is closed that another attempt may help', async () => {
  const link = connect();
  const waiting = ask(link, request('deaf'));
  await link.close();
  expect((await waiting).lost).toMatchObject({ kind: 'disconnected', origin: 'gateway', executed: 'maybe' });
});

it('holds back a server of its own while its reader is behind, until that reader is gone', async () => {
  const link = connect();
  const progress =
    '{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"p","progress":1}}';
  let got = 0;
  // More than fits in the pipe, so that the server stands still.
  const lines = Array.from({ length: 20_000 }, () => progress);
  const cancel = link.request(request('say', { lines, _meta: { progressToken: 'p' } }), {
    answered: () => {},
    lost: () => {},
    related: () => got++,
    drained: () => new Promise<void>(() => {}),
  });
  while (got === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(got).toBeLessThan(5000);
  cancel();
  expect((await ask(link, request('echo', { say: 1 }))).answer?.result).toEqual({ said: 1 });
});

it('knows that a request it never wrote was not executed', async () => {
  const exits: ProcessExit[] = [];
  const file = join(mkdtempSync(join(tmpdir(), 'relay-')), 'first');
  const link = connect({ env: { DEAF_AFTER: file }, openTimeoutMs: 300, onExit: (exit) => exits.push(exit) });
  await ask(link, request('initialize', {}));
  link.send(message({ method: 'notifications/initialized' }));
  expect((await ask(link, request('crash'))).lost).toMatchObject({ kind: 'disconnected', executed: 'maybe' });
  // The next process does not answer the opening: nothing else is written to it.
  const { sink, told } = recorder();
  link.request(request('echo', {}, 'not wanted'), sink)();
  const { lost } = await ask(link, request('echo'));
  expect(lost).toMatchObject({ kind: 'timeout', executed: 'no' });
  await vi.waitFor(() => expect(exits).toHaveLength(2));
  expect(notes).toContain('did not open the conversation again in time');
  expect(told).toEqual([]);
  expect(exits.map(({ code, signal, reason }) => [code, signal, reason])).toEqual([
    [3, null, undefined],
    [null, 'SIGKILL', undefined],
  ]);
});

it('gives up one that hangs at its start for callers who open no conversation', async () => {
  const hangs = 'console.error("Waiting for authorization..."); process.stdin.resume()';
  const options = { args: ['-e', hangs], shared: true, openTimeoutMs: 700, startTimeoutMs: 60_000 };
  const [called, listed] = [connect(options), connect(options)];
  const told = {
    kind: 'timeout',
    message:
      'The server did not answer when it was opened, within 700 ms (`open_timeout_ms`); it has not answered anything since it was started; on standard error it wrote last: "Waiting for authorization"',
    advice: expect.stringContaining('sign in'),
  };
  const [call, list] = await Promise.all([
    ask(called, request('tools/call')),
    ask(listed, request('tools/list')),
  ]);
  expect(call.lost).toMatchObject({ ...told, executed: 'maybe' });
  expect(list.lost).toMatchObject({ ...told, executed: 'no' });
  const since = performance.now();
  expect((await ask(called, request('tools/call'))).lost).toMatchObject({ ...told, executed: 'no' });
  expect(performance.now() - since).toBeLessThan(300);
});

it('waits for a first call that takes long while its server is there', async () => {
  const link = connect({ shared: true, openTimeoutMs: 1000, startTimeoutMs: 60_000 });
  expect((await ask(link, request('slow', { ms: 1800 }))).answer?.result).toEqual({ slow: true });
});

it('takes up again with one that comes late', async () => {
  const late = `setTimeout(() => process.stdin.on('data', (data) => {
    for (const line of String(data).trim().split('\\n'))
      console.log(JSON.stringify({ jsonrpc: '2.0', id: JSON.parse(line).id, result: { late: true } }));
  }), 1500)`;
  const link = connect({ args: ['-e', late], shared: true, openTimeoutMs: 600, startTimeoutMs: 60_000 });
  expect((await ask(link, request('tools/call'))).lost).toMatchObject({ kind: 'timeout' });
  await vi.waitFor(
    async () => expect((await ask(link, request('tools/call'))).answer?.result).toEqual({ late: true }),
    { timeout: 5000 },
  );
});

it('gives up one that hangs at its start for whoever asks, while the process may still come', async () => {
  const hangs = 'console.error("Waiting for authorization..."); process.stdin.resume()';
  const link = connect({
    args: ['-e', hangs],
    shared: true,
    opening: OWN_OPENING,
    openTimeoutMs: 700,
    startTimeoutMs: 60_000,
  });
  const { lost } = await ask(link, request('tools/call'));
  const told = {
    kind: 'timeout',
    executed: 'no',
    message:
      'The server did not answer when it was opened, within 700 ms (`open_timeout_ms`); it has not answered anything since it was started; on standard error it wrote last: "Waiting for authorization"',
    advice: expect.stringContaining('sign in'),
    details: { command: `${process.execPath} …`, stderr: 'Waiting for authorization...' },
  };
  expect(lost).toMatchObject(told);
  const pid = link.pid;
  const since = performance.now();
  expect((await ask(link, request('tools/call'))).lost).toMatchObject(told);
  expect(performance.now() - since).toBeLessThan(500);
  expect([link.pid, pid === undefined]).toEqual([pid, false]);
});

it('does not take its own signal for the end of a server', async () => {
  const link = connect({ args: ['-e', 'require("node:fs").closeSync(1); setInterval(() => {}, 1000)'] });
  const { lost } = await ask(link, request('initialize'));
  expect(lost).toMatchObject({
    message: 'The server was ended when it was started, because it had closed its standard output',
  });
  expect(JSON.stringify([lost, notes])).not.toContain('SIGKILL');
});

it('does not know whether a request was executed that a dying process may have read', async () => {
  const { lost } = await ask(connect({ args: ['-e', 'process.exit(1)'] }), request('echo'));
  expect(lost).toMatchObject({ kind: 'disconnected', executed: 'maybe' });
});

it('knows that an opening has changed nothing, whoever may have read it', async () => {
  const { lost } = await ask(connect({ args: ['-e', 'process.exit(3)'] }), request('initialize'));
  expect(lost).toMatchObject({ kind: 'unavailable', executed: 'no' });
});

it('starts a process anew that has never answered anything, when somebody gives it up', async () => {
  const link = connect({ args: ['-e', 'process.stdin.resume()'] });
  const { sink } = recorder();
  const cancel = link.request(request('echo'), sink);
  const pid = link.pid;
  clock += 120_000;
  cancel('too slow');
  while (link.pid === pid) await new Promise((resolve) => setTimeout(resolve, 5));
  expect(notes[0]).toBe('has not answered anything since it was started, and is ended');
});

const dir = mkdtempSync(join(tmpdir(), 'relay-'));
const plainFile = join(dir, 'plain');
const badScript = join(dir, 'bad');
writeFileSync(plainFile, 'x');
writeFileSync(badScript, '#!/no/such/interpreter\n', { mode: 0o755 });

it.each<[string, Partial<StdioLinkOptions>, string, string]>([
  ['a missing command', { command: 'no-such-command' }, 'command_not_found', 'the command was not found'],
  ['a missing file', { command: '/no/such/file' }, 'command_not_found', 'the command was not found'],
  [
    'a command with its arguments in it',
    { command: 'node index.js', args: [] },
    'command_with_arguments',
    'there is no command of this name: its arguments stand in it',
  ],
  [
    'a missing file with a blank',
    { command: '/no/such folder/file' },
    'command_not_found',
    'the command was not found',
  ],
  [
    'a file without the right',
    { command: plainFile },
    'command_not_executable',
    'the command may not be executed',
  ],
  ['a folder', { command: dir }, 'command_is_directory', 'the command is a folder'],
  [
    'a missing interpreter',
    { command: badScript },
    'interpreter_not_found',
    'the command names an interpreter that was not found',
  ],
  [
    'a missing directory',
    { cwd: '/no/such/directory' },
    'directory_not_found',
    'its working directory does not exist',
  ],
  ['a file as directory', { cwd: plainFile }, 'not_a_directory', 'its working directory is not a directory'],
  ['a zero byte', { args: ['a\0b'] }, 'not_startable', 'the system refused to start it'],
  ['too long a line', { args: ['x'.repeat(10_000_000)] }, 'not_startable', 'the system refused to start it'],
])('says what is wrong with %s', async (_name, options, reason, words) => {
  const exits: ProcessExit[] = [];
  const { lost } = await ask(connect({ ...options, onExit: (exit) => exits.push(exit) }), request('echo'));
  expect(lost).toMatchObject({
    kind: 'misconfigured',
    origin: 'gateway',
    executed: 'no',
    message: `The server could not be started: ${words}`,
  });
  expect(exits).toEqual([{ code: null, signal: null, reason, stderrTail: [] }]);
});

it('keeps the last words of a process as they came', async () => {
  const exits: ProcessExit[] = [];
  const program = `for (let i = 0; i < 50; i++) console.error('\\x1b[31mline ' + i);
    process.stderr.write('x'.repeat(100000) + '\\n'); process.exit(7)`;
  await ask(connect({ args: ['-e', program], onExit: (exit) => exits.push(exit) }), request('echo'));
  const tail = exits[0]?.stderrTail ?? [];
  expect([exits[0]?.code, tail.length, tail[0], tail.at(-1)?.length]).toEqual([
    7,
    40,
    '\x1b[31mline 11',
    4096,
  ]);
});

it('survives a hook that throws', async () => {
  const bad = (): never => {
    throw new Error('no');
  };
  const link = connect({ onExit: bad, onStderr: bad, onMessage: bad, onNote: bad });
  await ask(link, request('complain'));
  await ask(
    link,
    request('say', {
      lines: ['{"jsonrpc":"2.0","method":"x"}', 'noise', '{"jsonrpc":"2.0","id":$ID,"result":{}}'],
    }),
  );
  await ask(link, request('crash'));
  expect((await ask(link, request('echo', { say: 1 }))).answer?.result).toEqual({ said: 1 });
});

it.each([
  ['process.exit(3)', 'unavailable', 'The server ended when it was started (exit code 3)', { exit_code: 3 }],
  [
    'console.error("Error: API_TOKEN environment variable is required"); process.exit(1)',
    'misconfigured',
    'The server ended when it was started (exit code 1): the variable API_TOKEN is not set',
    { exit_code: 1, stderr: 'Error: API_TOKEN environment variable is required' },
  ],
  [
    'process.exit(0)',
    'misconfigured',
    'The server ended when it was started (exit code 0): it ended by itself, and said nothing',
    { exit_code: 0 },
  ],
  [
    'process.kill(process.pid, "SIGTERM"); setInterval(() => {}, 1000)',
    'unavailable',
    'The server ended when it was started (signal SIGTERM)',
    { signal: 'SIGTERM' },
  ],
])('explains a start that failed: %s', async (program, kind, message, details) => {
  const link = connect({ args: ['-e', program] });
  const { lost } = await ask(link, request('initialize'));
  const command = `${process.execPath} …`;
  expect(lost).toMatchObject({ kind, executed: 'no', message, details: { command, ...details } });
  await ask(link, request('initialize'));
  expect((await ask(link, request('initialize'))).lost).toMatchObject({
    kind,
    message: `${message}; it is not started again yet`,
  });
});

it.each([
  [
    'throw new Error("boom at import with password=hunter2hunter2")',
    'The server ended when it was started (exit code 1): Error: boom at import with password=[password:1]',
    'Correct what the server complains of: its settings here, or the server itself.',
  ],
  [
    'console.error("cannot talk to the printer."); process.exit(4)',
    'The server ended when it was started (exit code 4): cannot talk to the printer',
    'Correct what the server complains of: its settings here, or the server itself.',
  ],
  [
    'process.exit(3)',
    'The server ended when it was started (exit code 3)',
    'Start the command by hand to see why it ends.',
  ],
  [
    `console.error("Error: listen EADDRINUSE: address already in use :::9101" + "\\n    at f (node:net:1)".repeat(25)
       + "\\n  code: 'EADDRINUSE',\\n  port: 9101\\n}"); process.exit(1)`,
    'The server ended when it was started (exit code 1): port 9101, which it listens on, is taken',
    'End what uses the port, or give the server another one.',
  ],
])('gives the reason of a start that failed, and what to do: %s', async (program, message, advice) => {
  const { lost } = await ask(connect({ args: ['-e', program] }), request('initialize'));
  expect(lost).toMatchObject({ executed: 'no', message, advice });
});

it.each([
  ['the module of Python', 'python3', ['-m', 'nosuchmod_here'], 'the module nosuchmod_here is missing'],
  [
    'a file without an ending',
    process.execPath,
    ['./no-such-start'],
    expect.stringContaining('no-such-start is missing'),
  ],
])('names what was to be started: %s', async (_name, command, args, why) => {
  const { lost } = await ask(connect({ command, args }), request('initialize'));
  expect(lost?.message?.split(': ').slice(1).join(': ')).toEqual(why);
  expect(lost).toMatchObject({ details: { command: [command, ...args].join(' ') } });
});

it.each([
  [
    plainFile,
    'Allow the file to be executed (`chmod +x`), or start it by what runs it: `node`, `python3` or `sh` as `command`, the file in `args`.',
  ],
  [dir, 'Name the program in it under `command` of this server.'],
])('advises what fits a file that cannot be executed: %s', async (command, advice) => {
  expect((await ask(connect({ command }), request('initialize'))).lost).toMatchObject({ advice });
});

it('shows nothing of what it was given: keys, and arguments that name no program', async () => {
  const program = 'console.error("bad key " + process.env.KEY + " " + process.argv[1]); process.exit(1)';
  const link = connect({ args: ['-e', program, 'hunter2hunter2'], env: { KEY: 'sw0rdf1sh-9Q' } });
  const { lost } = await ask(link, request('initialize'));
  expect(lost).toMatchObject({
    details: { command: `${process.execPath} …`, exit_code: 1, stderr: 'bad key [hidden] [hidden]' },
  });
});

it('tells nobody what a process that many share said after it was asked', async () => {
  const program = `process.stdin.once('data', () => { console.log('secret of ann'); console.error('no: ann'); setTimeout(() => process.exit(1), 200); })`;
  const link = connect({ args: ['-e', program], shared: true });
  const both = ['ann', 'bob'].map((caller) => ask(link, { ...request('echo'), caller }));
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(link.silence).toBeUndefined();
  for (const { lost } of await Promise.all(both)) expect(JSON.stringify(lost)).not.toContain('ann');
});

const NEEDS_TOKEN =
  'console.error("Error: API_TOKEN environment variable is required"); setTimeout(() => process.exit(1), 100)';
const NO_TOKEN = 'The server ended when it was started (exit code 1): the variable API_TOKEN is not set';

it.each(['server/discover', 'tools/list'])(
  'explains it to whoever asks first, known or not: %s',
  async (method) => {
    const link = connect({ args: ['-e', NEEDS_TOKEN], shared: true });
    const { lost } = await ask(link, request(method));
    expect(lost).toMatchObject({ kind: 'misconfigured', executed: 'no', message: NO_TOKEN });
  },
);

it('does not say that a call which a process may have read was not made', async () => {
  const link = connect({ args: ['-e', NEEDS_TOKEN], shared: true });
  const { lost } = await ask(link, request('tools/call', { name: 'pay' }));
  expect(lost).toMatchObject({ kind: 'disconnected', executed: 'maybe', message: NO_TOKEN });
});

it('asks a shared process something of its own once it has ended too soon, and can tell everybody why', async () => {
  const link = connect({ args: ['-e', NEEDS_TOKEN], shared: true });
  const untold = await Promise.all([1, 2].map((id) => ask(link, request('tools/list', {}, id))));
  for (const { lost } of untold)
    expect(lost?.message).toBe('The server process ended before it answered (exit code 1)');
  const told = await Promise.all([3, 4].map((id) => ask(link, request('tools/call', { name: 'pay' }, id))));
  // Neither has been sent.
  for (const { lost } of told)
    expect(lost).toMatchObject({ kind: 'misconfigured', executed: 'no', message: NO_TOKEN });
  expect((await ask(link, request('tools/list'))).lost).toMatchObject({
    kind: 'misconfigured',
    message: `${NO_TOKEN}; it is not started again yet`,
  });
});

it('serves whoever waits when the question was answered, in whatever way', async () => {
  const flag = join(dir, 'was-here');
  const program = `const fs = require('node:fs');
    if (!fs.existsSync(${JSON.stringify(flag)})) { fs.writeFileSync(${JSON.stringify(flag)}, ''); setTimeout(() => process.exit(1), 200); }
    else require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
      const { id, method } = JSON.parse(line);
      const what = method === 'server/discover' ? { error: { code: -32601, message: 'no' } } : { result: { fine: true } };
      console.log(JSON.stringify({ jsonrpc: '2.0', id, ...what }));
    })`;
  const link = connect({ args: ['-e', program], shared: true });
  await Promise.all([1, 2].map((id) => ask(link, request('echo', {}, id))));
  expect((await ask(link, request('echo', {}, 3))).answer?.result).toEqual({ fine: true });
  expect(notes.filter((note) => note.includes('refused'))).toEqual([]);
});

const ENDS = { command: process.execPath, args: ['-e', 'process.stdin.on("data", () => process.exit(3))'] };
const NEVER_STARTS = { command: process.execPath, args: ['-e', 'process.exit(3)'] };
const NO_COMMAND = { command: '/there/is/no/such/command', args: [] };
const INITIALIZE = request('initialize', {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 'x', version: '1' },
});

it.each([
  ['the opening of one client', ENDS, {}, true],
  ['the opening of one client, though it would end anyway', NEVER_STARTS, {}, true],
  ['a question of one among many', ENDS, { shared: true }, true],
  ['an opening of our own, for many', ENDS, { shared: true, opening: OWN_OPENING }, undefined],
  ['nothing: it was not even started', NO_COMMAND, {}, undefined],
] as const)(
  'says whether it may have ended over what it was told: %s',
  async (_what, what, how, mayBeOwn) => {
    const link = connect({ ...what, env: {}, ...how });
    const asked = 'shared' in how ? request('tools/list') : INITIALIZE;
    const lost = (): Promise<object> =>
      new Promise((resolve) => {
        link.request(asked, { answered: () => {}, related: () => {}, lost: resolve });
      });
    const first = await lost();
    expect(first).toMatchObject({ executed: 'no' });
    expect((first as { mayBeOwn?: boolean }).mayBeOwn || undefined).toBe(mayBeOwn);
  },
);

it('says so, too, to those who ask before it is started again', async () => {
  const link = connect({ ...ENDS, env: {} });
  const told: { mayBeOwn?: boolean | undefined; message?: string | undefined }[] = [];
  for (let round = 0; round < 3; round += 1)
    await new Promise<void>((resolve) => {
      const lost: Sink['lost'] = (fault) => {
        told.push(fault);
        resolve();
      };
      link.request(INITIALIZE, { answered: () => {}, related: () => {}, lost });
    });
  expect(told.map(({ mayBeOwn }) => mayBeOwn)).toEqual([true, true, true]);
  expect(told[2]?.message).toContain('it is not started again yet');
});
