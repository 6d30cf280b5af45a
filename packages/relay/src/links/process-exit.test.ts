import { makeFault } from '@mayday/core';
import { redactFault } from '@mayday/core/redact';
import { expect, it } from 'vitest';
import { describeExit, exitFault, type ProcessExit, startFailure, startFault } from './process-exit.ts';

const exit = (how: Partial<ProcessExit>): ProcessExit => ({
  code: null,
  signal: null,
  reason: undefined,
  stderrTail: ['password=hunter2'],
  ...how,
});

const UNTOLD = { command: 'server', wasAsked: true, hides: [], tellable: undefined };

it.each([
  [exit({ code: 3 }), 'exit code 3'],
  [exit({ signal: 'SIGSEGV' }), 'signal SIGSEGV'],
  [exit({ reason: 'directory_not_found' }), 'its working directory does not exist'],
])('says in words that it ended with %j', (how, words) => {
  expect(describeExit(how)).toBe(words);
});

it.each([
  [exit({ code: 1 }), true, false, 'disconnected', 'maybe'],
  [exit({ code: 1 }), true, true, 'unavailable', 'no'],
  [exit({ code: 1 }), false, false, 'unavailable', 'no'],
  [exit({ reason: 'command_not_found' }), true, false, 'misconfigured', 'no'],
  [exit({ reason: 'too_many_processes' }), true, false, 'overloaded', 'no'],
])(
  'makes of %j, written %s, an opening %s, the fault %s with executed %s',
  (how, written, isInitialize, kind, executed) => {
    const fault = exitFault(how, { written, isInitialize, start: UNTOLD });
    expect(fault).toMatchObject({ kind, executed });
    expect(JSON.stringify(fault)).not.toContain('hunter2');
  },
);

it.each([
  ['ENOENT', 'command_not_found'],
  ['EACCES', 'command_not_executable'],
  ['EMFILE', 'too_many_processes'],
  ['EAGAIN', 'too_many_processes'],
  ['E2BIG', 'not_startable'],
  [undefined, 'not_startable'],
])('reads %s as %s', (code, reason) => {
  expect(startFailure(Object.assign(new Error('x'), { code }), 'server', undefined)).toBe(reason);
});

it('reads whatever was thrown', () => {
  expect([null, 'x', 7].map((thrown) => startFailure(thrown, 'server', undefined))).toEqual(
    Array(3).fill('not_startable'),
  );
});

it.each([
  'postgres://app:Sup3rSecretPassw0rd@db.example/prod',
  'password="Sup3rSecret horse battery staple"',
])('tells nothing of a secret that its last words begin within: %s', (secret) => {
  for (let behind = 2000 - secret.length; behind < 2000; behind++) {
    const line = `${'lorem ipsum '.repeat(200)}${secret}${' dolor sit'.repeat(200).slice(0, behind)}`;
    const fault = startFault(exit({ code: 1, stderrTail: [line] }), {
      command: 'server',
      wasAsked: false,
      hides: [],
      tellable: 1,
    });
    const said = String(redactFault(makeFault(fault)).details?.['stderr']);
    expect(said).toMatch(/ dolor/);
    expect(said).not.toMatch(/Sup3r|ssw0rd|horse/);
  }
});

it.each([
  [['bad key zq81-Kx7', '  7mm/Pl'], 'bad key [hidden]'],
  [['bad key \x1b[31mzq81-Kx\x1b[0m77mm/Pl, sorry'], 'bad key [hidden], sorry'],
])('tells nothing of what it was given where lines or colours split it: %j', (stderrTail, said) => {
  const start = { command: 'server', wasAsked: true, hides: ['zq81-Kx77mm/Pl', 'a (b'], tellable: 10 };
  expect(startFault(exit({ code: 1, stderrTail }), start)).toMatchObject({
    message: `The server ended when it was started (exit code 1): ${said}`,
    details: { stderr: said },
  });
});

it('says of a command with its arguments in it where they belong', () => {
  const start = { command: 'node index.js', wasAsked: true, hides: [], tellable: 0 };
  const reason = startFailure(Object.assign(new Error('x'), { code: 'ENOENT' }), start.command, undefined);
  expect(exitFault(exit({ reason }), { written: true, isInitialize: true, start })).toMatchObject({
    kind: 'misconfigured',
    advice: 'Give `node` alone as `command` of this server, and the words behind it as `args`.',
  });
});

it('asks of one that ended well whether it is a server, also where it has warned of something', () => {
  const stderrTail = ['Warning: something deprecated'];
  const start = { command: 'server', wasAsked: false, hides: [], tellable: 1 };
  expect(startFault(exit({ code: 0, stderrTail }), start)).toMatchObject({
    kind: 'misconfigured',
    message:
      'The server ended when it was started (exit code 0): it ended by itself; what it said last was "Warning: something deprecated"',
    advice: 'Is it a server over standard input and output? It may need another argument, such as `stdio`.',
  });
});

it('tells what npm says, and not where it is logged', () => {
  const stderrTail = [
    'npm error code EODD',
    'npm error path /srv',
    'npm error Something odd happened to the tree.',
    'npm error A complete log of this run can be found in: /home/ann/.npm/_logs/1-debug-0.log',
  ];
  const start = { command: 'npx', wasAsked: false, hides: [], tellable: 4 };
  expect(startFault(exit({ code: 1, stderrTail }), start).message).toBe(
    'The server ended when it was started (exit code 1): npm error Something odd happened to the tree',
  );
});
