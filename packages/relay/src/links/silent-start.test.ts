/** A process that runs and says nothing that anybody understands: all that is known of it is told. */
import { expect, it } from 'vitest';
import { silenceOf } from './silent-start.ts';

const SEEN = { command: 'node server.js', stderr: [], strays: [], hides: [] };
const SILENT = 'it has not answered anything since it was started';

it.each([
  [
    'nothing',
    {},
    SILENT,
    /^Is it a server over standard input and output\? .*`open_timeout_ms`\.$/,
    { command: 'node server.js' },
  ],
  [
    'the address of a server over HTTP',
    { strays: ['Server listening on http://localhost:3000'] },
    `${SILENT}, and writes to standard output what is no message: "Server listening on http://localhost:3000"`,
    /give its address as `url`/,
    { command: 'node server.js', stdout: 'Server listening on http://localhost:3000' },
  ],
  [
    'a web page',
    { strays: ['<!doctype html>', '<h1>502 Bad Gateway</h1>'] },
    `${SILENT}, and writes to standard output what is no message: a web page`,
    /^Is it a server over standard input and output\?/,
    { command: 'node server.js', stdout: '<!doctype html>\n<h1>502 Bad Gateway</h1>' },
  ],
  [
    'that it waits for somebody',
    { stderr: ['Opening browser for login: https://login.acme.dev/device', 'Waiting for authorization...'] },
    `${SILENT}; on standard error it wrote last: "Waiting for authorization"`,
    /sign in/,
    {
      command: 'node server.js',
      stderr: 'Opening browser for login: https://login.acme.dev/device\nWaiting for authorization...',
    },
  ],
  [
    'where somebody is to go',
    { stderr: ['Please visit https://acme.dev/device and enter code ABCD-1234'] },
    `${SILENT}; on standard error it wrote last: "Please visit https://acme.dev/device and enter code ABCD-1234"`,
    /by hand, do what it asks for/,
    {
      command: 'node server.js',
      stderr: 'Please visit https://acme.dev/device and enter code ABCD-1234',
    },
  ],
  [
    'where its page is',
    { stderr: ['Ready. Open http://localhost:3000 to see it'] },
    `${SILENT}; on standard error it wrote last: "Ready. Open http://localhost:3000 to see it"`,
    /give its address as `url`/,
    { command: 'node server.js', stderr: 'Ready. Open http://localhost:3000 to see it' },
  ],
  [
    'what it lacks',
    { stderr: ['API_TOKEN is not set; waiting for it'] },
    `${SILENT}: the variable API_TOKEN is not set`,
    /^Set API_TOKEN under `env`/,
    { command: 'node server.js', stderr: 'API_TOKEN is not set; waiting for it' },
  ],
])('tells of one that wrote %s', (_name, seen, why, advice, details) => {
  const silence = silenceOf({ ...SEEN, ...seen });
  expect(silence).toMatchObject({ why, details });
  expect(silence.advice).toMatch(advice);
});

it('hides what it was given, and secrets', () => {
  const stderr = ['using sw0rdf1sh-9Q', 'login with password=hunter2hunter2'];
  const told = JSON.stringify(silenceOf({ ...SEEN, stderr, hides: ['sw0rdf1sh-9Q'] }));
  expect(told).not.toMatch(/sw0rdf1sh|hunter2/);
});

it('hides what it wrote to standard output under a name in colours, or in the line before', () => {
  const strays = [
    '\x1b[31mpassword:\x1b[0m',
    '  \x1b[33mTr0ub4dorX\x1b[0m',
    `${'x'.repeat(195)} ghp_${'a1B2'.repeat(9)}`,
  ];
  const { why, details } = silenceOf({ ...SEEN, strays });
  expect(why).toMatch(/what is no message: "password:"$/);
  expect(details['stdout']).toMatch(/^password:\n {2}\[password:1\]\nx{195} \[/);
  expect(details['stdout']).not.toMatch(/Tr0ub|ghp_/);
});
