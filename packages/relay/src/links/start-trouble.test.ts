import { expect, it } from 'vitest';
import { troubleIn } from './start-trouble.ts';

it.each([
  ["Error: Cannot find module '/srv/tools/index.js'", 'the module /srv/tools/index.js is missing'],
  [
    "Error [ERR_MODULE_NOT_FOUND]: Cannot find package 'zod' imported from /srv/a.mjs",
    'the module zod is missing',
  ],
  ["ModuleNotFoundError: No module named 'mcp'", 'the module mcp is missing'],
  ['Error: API_TOKEN environment variable is required', 'the variable API_TOKEN is not set'],
  ['Missing required environment variable: GITHUB_TOKEN', 'the variable GITHUB_TOKEN is not set'],
  ['Please set SLACK_BOT_TOKEN and try again', 'the variable SLACK_BOT_TOKEN is not set'],
  ['SLACK_TEAM_ID is not set', 'the variable SLACK_TEAM_ID is not set'],
  ['Error: listen EADDRINUSE: address already in use :::7390', 'port 7390, which it listens on, is taken'],
  ['OSError: [Errno 98] Address already in use', 'a port that it listens on is taken'],
  ['This package requires Node.js >= 22.0.0', 'it needs another version of Node'],
  ['node: bad option: --experimental-foo', 'it needs another version of Node'],
  ...[
    'Error [ERR_UNKNOWN_BUILTIN_MODULE]: No such built-in module: node:sqlite',
    'npm error code EBADENGINE',
    'npm ERR! engine Unsupported engine',
    'ERR_PNPM_UNSUPPORTED_ENGINE  Unsupported environment (bad pnpm and/or Node.js version)',
    'error acme-mcp@1.0.0: The engine "node" is incompatible with this module. Expected version ">=22".',
    "Error: The module '/x/a.node' was compiled against a different Node.js version using NODE_MODULE_VERSION 108. This version of Node.js requires NODE_MODULE_VERSION 115.",
    'TypeError: Promise.withResolvers is not a function',
    'TypeError: Object.groupBy is not a function',
    'ReferenceError: fetch is not defined',
    "SyntaxError: The requested module 'node:fs/promises' does not provide an export named 'glob'",
    'Node.js version 18 or higher is required',
    'Node.js v16.20.2 is not supported',
    'Unsupported Node.js version',
    'Please upgrade Node.js and try again',
    'acme-mcp requires Node.js 99 or newer',
  ].map((line) => [line, 'it needs another version of Node']),
  [
    'Warning: Cannot access directory /no/such, skipping',
    'it may not use the folder /no/such, or it does not exist',
  ],
  [
    'Error: None of the specified directories are accessible',
    'it can use none of the folders that it was given',
  ],
  ['npm error code E404', 'its package does not exist in the registry'],
  ['npm error could not determine executable to run', 'its package has no command of this name'],
  [
    'npm error request to https://registry failed, reason: getaddrinfo EAI_AGAIN registry',
    'it cannot reach the network',
  ],
  ['docker: Cannot connect to the Docker daemon at unix:///var/run/docker.sock.', 'Docker does not run'],
  ['sh: 1: uvx: not found', 'the command uvx was not found'],
  [
    "Error: ENOENT: no such file or directory, open '/srv/config.json'",
    'the file or folder /srv/config.json does not exist',
  ],
  ["Error: EACCES: permission denied, mkdir '/data'", 'it may not use something that it needs'],
  ['Error: Invalid API key', 'a credential that it was given is refused'],
  ["error: unknown option '--stdoi'", 'it does not take the argument --stdoi'],
  ['Usage: server <directory>', 'it does not take the arguments that it was given'],
  [
    'FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory',
    'it ran out of memory',
  ],
  ["SyntaxError: Unexpected token '??='", 'its program cannot be read'],
])('%j: %s', (line, why) => {
  expect(troubleIn(['starting', line, 'bye'])?.why).toBe(why);
});

it('says what to do, by name', () => {
  expect(troubleIn(['API_TOKEN is required'])).toEqual({
    why: 'the variable API_TOKEN is not set',
    advice: 'Set API_TOKEN under `env` of this server.',
  });
});

it.each([
  'npm warn EBADENGINE Unsupported engine',
  'Node.js v20.20.2',
  'requires NODE_ENV',
  '',
  'Server started',
  'Something odd happened',
  'Connecting to the database',
])('makes nothing up: %j', (line) => {
  expect(troubleIn([line])).toBeUndefined();
});

it('takes no longer for long lines', () => {
  const lines = Array.from(
    { length: 20 },
    () => `missing ${'A_'.repeat(50_000)} required ${'x'.repeat(50_000)}`,
  );
  const start = performance.now();
  troubleIn(lines);
  expect(performance.now() - start).toBeLessThan(500);
});
