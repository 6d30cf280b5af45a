/** What runtimes, installers, shells and systems say of a server that cannot start, in their own words. */
import { expect, it } from 'vitest';
import { troubleIn } from './start-trouble.ts';

const PYTHON = (name: string): string => `Traceback (most recent call last):
  File "/opt/acme/server.py", line 3, in <module>
    TOKEN = os.environ["${name}"]
            ~~~~~~~~~~^^^^^^^^^^^
  File "<frozen os>", line 685, in __getitem__
KeyError: '${name}'`;

it.each([
  ['Python', PYTHON('ACME_TOKEN')],
  ['Python, without its source', "KeyError: 'ACME_TOKEN'"],
  ['Ruby', `server.rb:3:in 'ENV.fetch': key not found: "ACME_TOKEN" (KeyError)`],
  ['PHP', 'PHP Warning:  Undefined array key "ACME_TOKEN" in /srv/a.php on line 3'],
  ['Symfony', 'Environment variable not found: "ACME_TOKEN".'],
  ['Spring', `Could not resolve placeholder 'ACME_TOKEN' in value "\${ACME_TOKEN}"`],
  ['envconfig of Go', '2026/01/01 00:00:00 required key ACME_TOKEN missing value'],
  ['env of Go', 'env: required environment variable "ACME_TOKEN" is not set'],
  ['Rust', "thread 'main' panicked at src/main.rs:4:38:\nACME_TOKEN must be set: NotPresent"],
  ['Elixir', '** (System.EnvError) could not fetch environment variable "ACME_TOKEN" because it is not set'],
  ['bash', './run.sh: line 3: ACME_TOKEN: unbound variable'],
  ['sh', './run.sh: 3: ACME_TOKEN: parameter not set'],
  ['.NET', "Unhandled exception. System.Exception: Environment variable 'ACME_TOKEN' is not set."],
  ['env-var of Node', 'EnvVarError: env-var: "ACME_TOKEN" is a required variable, but it was not set'],
])('names a variable that is missing in the words of %s', (_whose, said) => {
  expect(troubleIn(said.split('\n'))).toEqual({
    why: 'the variable ACME_TOKEN is not set',
    advice: 'Set ACME_TOKEN under `env` of this server.',
  });
});

it('knows a short name by where it was looked up', () => {
  expect(troubleIn(PYTHON('TOKEN').split('\n'))?.why).toBe('the variable TOKEN is not set');
  expect(troubleIn(["KeyError: 'NAME'"])).toBeUndefined();
  expect(troubleIn(["KeyError: 'some_key'"])).toBeUndefined();
});

it.each([
  [
    'npm error code ETARGET\nnpm error notarget No matching version found for @acme/mcp@9.9.9.\nnpm error A complete log of this run can be found in: /x.log',
    'its package does not exist in this version: @acme/mcp@9.9.9',
  ],
  [
    '  × No solution found when resolving tool dependencies:\n  ╰─▶ Because there is no version of acme-mcp==9.9.9 and you require acme-mcp==9.9.9, we can conclude',
    'its package does not exist in this version: acme-mcp==9.9.9',
  ],
  [
    'ERROR: No matching distribution found for acme-mcp==9.9.9',
    'its package does not exist in this version: acme-mcp==9.9.9',
  ],
  [
    '  ╰─▶ Because acme-mcp was not found in the package registry and you require acme-mcp',
    'its package does not exist in the registry',
  ],
  ['npm error code E401', 'the registry does not give its package to whoever starts it'],
  ['npm error code EINVALIDPACKAGENAME', 'what it is started by is no name of a package'],
  ['npm error Missing script: "serve"', 'there is no script serve where it was started'],
  ['npm error code ENOTEMPTY', 'its package was installed twice at the same time'],
  ['npm error code EBADPLATFORM', 'it is made for another system or processor'],
  ['npm error code SELF_SIGNED_CERT_IN_CHAIN', 'it does not trust the certificate of a server that it needs'],
  [
    'An executable named `acme` is not provided by package `acme-mcp`.',
    'its package has no command of this name',
  ],
  [
    "docker: Error response from daemon: pull access denied for acme/mcp, repository does not exist or may require 'docker login'",
    'the image acme/mcp does not exist, or may not be pulled',
  ],
  [
    'docker: Error response from daemon: manifest for acme/mcp:9 not found: manifest unknown',
    'the image acme/mcp:9 does not exist, or may not be pulled',
  ],
  ['the input device is not a TTY', 'it was told to use a terminal, and there is none'],
  [
    'permission denied while trying to connect to the Docker daemon socket at unix:///var/run/docker.sock',
    'it may not use Docker',
  ],
  [
    'docker: Error response from daemon: Conflict. The container name "/acme" is already in use by container "5f".',
    'a container of the name acme is there already',
  ],
  [
    'docker: Error response from daemon: failed to create task: exec: "acme": executable file not found in $PATH',
    'the command acme was not found',
  ],
  ['exec /usr/bin/acme: exec format error', 'it is made for another system or processor'],
  [
    'Error: LinkageError occurred while loading main class acme.Main\n\tjava.lang.UnsupportedClassVersionError: acme/Main has been compiled by a more recent version of the Java Runtime (class file version 65.0)',
    'it needs a newer version of Java',
  ],
  ['Error: Unable to access jarfile /srv/acme.jar', 'the file or folder /srv/acme.jar does not exist'],
  ['Error: Could not find or load main class acme.Main', 'the class acme.Main is missing'],
  ['no main manifest attribute, in acme.jar', 'its program cannot be read'],
  ['You must install or update .NET to run this application.', 'it needs another version of .NET'],
  ['go: go.mod requires go >= 1.25 (running go 1.22.2)', 'it needs a newer version of Go'],
  [
    'main.go:4:2: no required module provides package acme.example/mcp; to add it:',
    'the package acme.example/mcp is missing',
  ],
  [
    "ERROR: Package 'acme-mcp' requires a different Python: 3.9.6 not in '>=3.10'",
    'it needs another version of Python',
  ],
  [
    'error: No interpreter found for Python 3.13 in managed installations or search path',
    'it needs another version of Python',
  ],
  [
    "python3: can't open file '/srv/server.py': [Errno 2] No such file or directory",
    'the file or folder /srv/server.py does not exist',
  ],
  [
    "ImportError: cannot import name 'FastMCP' from 'mcp' (/x/mcp/__init__.py)",
    'the module FastMCP is missing, or there in another version',
  ],
  ['error: Module not found "file:///srv/a.ts".', 'the module file:///srv/a.ts is missing'],
  [
    'error: Uncaught (in promise) NotCapable: Requires env access to "A", run again with the --allow-env flag',
    'Deno does not allow it env access',
  ],
  ['zsh:1: command not found: acme', 'the command acme was not found'],
  [
    "/usr/bin/env: 'nosuchinterp': No such file or directory",
    'the command nosuchinterp, which the first line of its script names, was not found',
  ],
  ["/usr/bin/env: 'node\\r': No such file or directory", 'the lines of its script end as on Windows'],
  ['node: .env: not found', 'the file or folder .env does not exist'],
  [
    "acme: /lib/libc.so.6: version `GLIBC_2.38' not found (required by acme)",
    'it is made for another system or processor',
  ],
  [
    'acme: error while loading shared libraries: libssl.so.1.1: cannot open shared object file: No such file or directory',
    'the library libssl.so.1.1 is missing',
  ],
  ['called `Result::unwrap()` on an `Err` value: NotPresent', 'a variable that it needs is not set'],
])('%j: %s', (said, why) => {
  expect(troubleIn(said.split('\n'))?.why).toBe(why);
});

it.each([
  'DeprecationWarning: The `punycode` module is deprecated',
  'npm warn deprecated node-domexception@1.0.0: Use your platform’s native DOMException instead',
  'Unable to find image "acme/mcp:latest" locally',
  'Python 3.12.3 on linux',
  'Requires no further setup',
])('makes nothing up: %j', (line) => {
  expect(troubleIn([line])).toBeUndefined();
});
