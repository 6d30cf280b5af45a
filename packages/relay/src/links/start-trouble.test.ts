import { expect, it } from 'vitest';
import { threadClock } from '../../../../bench/measure.ts';
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
    'TypeError: new Set(...).union is not a function',
    'TypeError: names.toSorted is not a function',
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
  [
    "SyntaxError: Expected property name or '}' in JSON at position 1 (line 1 column 2)",
    'something that it reads is no JSON, at position 1',
  ],
  [
    'SyntaxError: Unexpected token \'b\', "{bad json" is not valid JSON',
    'something that it reads is no JSON',
  ],
  ['SyntaxError: Unexpected end of JSON input', 'something that it reads is no JSON'],
  [
    'json.decoder.JSONDecodeError: Expecting value: line 3 column 7 (char 40)',
    'something that it reads is no JSON, at line 3 column 7',
  ],
  ['YAMLParseError: Nested mappings are not allowed', 'a file of settings cannot be read'],
  ['error: Failed to spawn: `acme-mcp`', 'the command acme-mcp was not found'],
  ['  Caused by: No such file or directory (os error 2)', 'a file or folder that it needs does not exist'],
  ['cat: /srv/a.json: No such file or directory', 'the file or folder /srv/a.json does not exist'],
  [
    "FileNotFoundError: [Errno 2] No such file or directory: '/srv/b'",
    'the file or folder /srv/b does not exist',
  ],
])('%j: %s', (line, why) => {
  expect(troubleIn(['starting', line, 'bye'])?.why).toBe(why);
});

const ZOD = `ZodError: [
  {
    "expected": "string",
    "code": "invalid_type",
    "path": [
      "ACME_TOKEN"
    ],
    "message": "Invalid input: expected string, received undefined"
  },
  {
    "code": "invalid_string",
    "validation": "url",
    "path": ["ACME_URL"],
    "message": "Required"
  }
]
    at file:///srv/a.mjs:1:164`;

it.each([
  [
    'zod',
    ZOD,
    'the variables ACME_TOKEN and ACME_URL are not set',
    /^Set ACME_TOKEN and ACME_URL under `env`/,
  ],
  [
    'zod, cut off before its end',
    ZOD.slice(0, ZOD.indexOf('"message": "Req')),
    'the variables ACME_TOKEN and ACME_URL are not set',
    /^Set ACME_TOKEN/,
  ],
  [
    'zod, of a value that is wrong',
    'ZodError: [\n  {\n    "path": [\n      "ACME_URL"\n    ],\n    "message": "Invalid url"\n  }\n]',
    'the variable ACME_URL is not valid: Invalid url',
    /^Correct ACME_URL under `env`/,
  ],
  [
    'zod, of settings that are no variables',
    'ZodError: [\n  {\n    "path": [\n      "servers",\n      0,\n      "url"\n    ],\n    "message": "Required"\n  }\n]',
    'its setting servers.0.url is missing',
    /^Give it/,
  ],
  [
    'zod, as it is printed',
    "Invalid environment variables: [\n  {\n    code: 'invalid_type',\n    path: [ 'ACME_KEY' ],\n    message: 'Required'\n  }\n]",
    'the variable ACME_KEY is not set',
    /^Set ACME_KEY/,
  ],
  [
    'pydantic',
    'pydantic_core._pydantic_core.ValidationError: 1 validation error for Settings\nacme_token\n  Field required [type=missing, input_value={}, input_type=dict]',
    'its setting acme_token is missing',
    /^Give it/,
  ],
  [
    'pydantic, of several',
    'pydantic_core._pydantic_core.ValidationError: 2 validation errors for Settings\nacme_token\n  Field required [type=missing, input_value={}, input_type=dict]\n    For further information visit https://errors.pydantic.dev/2.9/v/missing\nacme_url\n  Field required [type=missing, input_value={}, input_type=dict]',
    'its settings acme_token and acme_url are missing',
    /^Give them/,
  ],
])('names what is missing in the words of %s', (_library, said, why, advice) => {
  const trouble = troubleIn(said.split('\n'));
  expect(trouble?.why).toBe(why);
  expect(trouble?.advice).toMatch(advice);
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
  'lodash.difference is not a function',
  'Connecting to the database',
])('makes nothing up: %j', (line) => {
  expect(troubleIn([line])).toBeUndefined();
});

it('takes no longer for long lines', () => {
  const lines = Array.from(
    { length: 20 },
    () => `missing ${'A_'.repeat(50_000)} required ${'x'.repeat(50_000)}`,
  );
  const start = threadClock();
  troubleIn(lines);
  expect(threadClock() - start).toBeLessThan(500);
});
