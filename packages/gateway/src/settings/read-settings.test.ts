import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { threadClock } from '../../../../bench/measure.ts';
import { runs } from '../../../../test/runs.ts';
import { SettingsError } from './problems.ts';
import { type ReadSettingsOptions, readSettings } from './read-settings.ts';

function problems(text: string, options: ReadSettingsOptions = {}): readonly string[] {
  try {
    readSettings(text, { file: 'mayday.yaml', env: {}, ...options });
    return [];
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    return error.message.split('\n');
  }
}

const ONE = 'upstreams:\n  a: { url: "http://127.0.0.1/mcp" }\n';

it('reads a whole file', () => {
  const text = `
listen: { port: 0 }
dialect: mcp
upstreams:
  files: { command: sh, args: [server], env: { TOKEN: 'x-\${TOKEN}' }, cwd: tmp, max_sessions: 3 }
  search: { url: 'https://search.example/mcp', from: closient, breaker: false, headers: { X-Key: a } }
  shop: { openapi: ./shop.yaml, base_url: 'https://shop.example', retry: { attempts: 2 } }
keys: [{ name: ci, key: '\${KEY:-0123456789}', dialect: onx, upstreams: [files] }]
`;
  const { settings } = readSettings(text, { env: { TOKEN: 's3cret' }, baseDir: '/srv' });
  expect(settings).toMatchObject({
    listen: { host: '127.0.0.1', port: 0 },
    dialect: 'mcp',
    keys: [{ name: 'ci', key: '0123456789', role: 'caller', dialect: 'onx', upstreams: ['files'] }],
  });
  expect(settings.upstreams.get('files')).toMatchObject({
    name: 'files',
    type: 'command',
    env: { TOKEN: 'x-s3cret' },
    cwd: '/srv/tmp',
    dialect: 'mcp',
    sessions: { max: 3, idleMs: 1_800_000, perCaller: 16 },
  });
  expect(settings.upstreams.get('search')).toMatchObject({
    type: 'url',
    url: new URL('https://search.example/mcp'),
    from: 'closient',
    breaker: false,
    headers: { 'x-key': 'a' },
  });
  expect(settings.upstreams.get('shop')).toMatchObject({
    type: 'openapi',
    openapi: '/srv/shop.yaml',
    baseUrl: new URL('https://shop.example'),
    retry: { attempts: 2, maxWaitMs: 2000 },
  });
});

it('reports every mistake with its line, in order', () => {
  const text = `dialekt: mayday
upstreams:
  files:
    command: npx
    timeout: 5
  search:
    url: ftp://x
    from: closeint
  Both: { command: a, url: 'http://b' }
  none: {}
  empty:
  listed: []
`;
  expect(problems(text)).toEqual([
    'mayday.yaml:1: dialekt: Unknown setting; did you mean dialect?',
    'mayday.yaml:5: upstreams.files.timeout: Unknown setting; did you mean timeout_ms?',
    'mayday.yaml:7: upstreams.search.url: Expected a URL that begins with http:// or https://',
    'mayday.yaml:8: upstreams.search.from: Unknown value; did you mean closient?',
    'mayday.yaml:9: upstreams.Both: Expected a name of at most 32 lower-case letters, digits and hyphens',
    'mayday.yaml:9: upstreams.Both: An upstream has one of command, url and openapi; here are command and url',
    'mayday.yaml:10: upstreams.none: An upstream has one of command, url and openapi; none of them is here',
    'mayday.yaml:11: upstreams.empty: An upstream has one of command, url and openapi; none of them is here',
    'mayday.yaml:12: upstreams.listed: An upstream has one of command, url and openapi; none of them is here',
  ]);
});

it('suggests what an upstream is, where its name is misspelt', () => {
  expect(problems('upstreams: { a: { comand: node } }')).toEqual([
    'mayday.yaml:1: upstreams.a: An upstream has one of command, url and openapi; here is comand; did you mean command?',
  ]);
});

it('names a variable that is not set, and never the value of one that is', () => {
  const text = `upstreams:
  a:
    url: http://x
    headers: { authorization: "Bearer \${A} \${B}" }
    dialect: \${B}
`;
  expect(problems(text, { env: { B: 'hunter2' } })).toEqual([
    'mayday.yaml:4: upstreams.a.headers.authorization: The environment variable A is not set',
    expect.stringMatching(/^mayday\.yaml:5: upstreams\.a\.dialect: Expected one of closient, onx, erlmcp, /),
  ]);
});

it('says no more of what is in a variable that is not set', () => {
  const text = `keys: [{ name: a, key: "\${NOT_SET}" }]\nupstreams: { a: { url: "\${ALSO_NOT}" } }`;
  expect(problems(text, { env: {} })).toEqual([
    'mayday.yaml:1: keys.0.key: The environment variable NOT_SET is not set',
    'mayday.yaml:2: upstreams.a.url: The environment variable ALSO_NOT is not set',
  ]);
});

describe('a variable that the settings give to the server itself', () => {
  const text = `upstreams:
  remote: { command: npx, args: [mcp-remote, "Authorization:\${OWN}"], env: { OWN: Bearer x, ALSO: "a \${OWN}" } }
  second: { command: npx, args: ["Authorization:\${OWN}"], env: { OWN: Bearer y } }
  other: { command: npx, args: ["\${OWN:-none}"] }
`;

  it.each([
    ['nobody else has it', {}, 'none'],
    ['the gateway has another', { OWN: 'Bearer of the shell' }, 'Bearer of the shell'],
  ])('is that server’s own where %s', (_where, env, elsewhere) => {
    for (const keepsUnset of [undefined, true]) {
      const { settings, warnings } = readSettings(text, {
        env: { PATH: process.env['PATH'], ...env },
        keepsUnset,
      });
      expect(settings.upstreams.get('remote')).toMatchObject({
        args: ['mcp-remote', `Authorization:\${OWN}`],
        env: { OWN: 'Bearer x', ALSO: 'a Bearer x' },
      });
      expect(settings.upstreams.get('second')).toMatchObject({
        args: [`Authorization:\${OWN}`],
        env: { OWN: 'Bearer y' },
      });
      expect(settings.upstreams.get('other')).toMatchObject({ args: [elsewhere] });
      expect(settings.upstreams.get('remote')?.unset).toBeUndefined();
      expect(warnings.filter(({ message }) => message.includes('OWN'))).toEqual([]);
    }
  });

  const argsOf = (written: string, env: { readonly [name: string]: string }) =>
    readSettings(`upstreams: { a: ${written} }`, { env }).settings.upstreams.get('a');

  it('is the environment’s where it is passed on under its own name', () => {
    const written = `{ command: sh, args: ["--key=\${K}", "\${L}"], env: { K: "\${K}", L: "\${L:-none}" } }`;
    expect(argsOf(written, { K: 'k', L: 'l' })).toMatchObject({
      args: ['--key=k', 'l'],
      env: { K: 'k', L: 'l' },
    });
    expect(argsOf(written, { K: 'k' })).toMatchObject({ args: ['--key=k', 'none'], env: { L: 'none' } });
  });

  it('is filled in where no server can look it up', () => {
    expect(
      argsOf(
        `{ command: "\${BIN}/tool", args: ["--port=\${PORT:-80}"], cwd: "\${DATA}/x", env: { BIN: /opt, DATA: "\${BASE}/data", PORT: "8080" } }`,
        { BIN: '/usr/bin', DATA: '/home/ann', BASE: '/srv', PORT: '1' },
      ),
    ).toMatchObject({ command: '/opt/tool', args: ['--port=8080'], cwd: '/srv/data/x' });
  });

  it('comes to an end where variables are given in a circle, and where they grow', () => {
    expect(argsOf(`{ command: sh, env: { A: "a\${B}", B: "b\${A}" } }`, { A: '1', B: '2' })?.type).toBe(
      'command',
    );
    const doubled = Array.from({ length: 60 }, (_, i) => `A${i}: "\${A${i + 1}}\${A${i + 1}}"`);
    const grown = argsOf(`{ command: sh, env: { ${doubled.join(', ')}, A60: xyzxyz } }`, {});
    expect(JSON.stringify(grown).length).toBeLessThan(20_000_000);
  });

  it('is still needed where it is given as itself, and by other servers', () => {
    const others = `upstreams:
  a: { command: sh, args: ["\${SELF}"], env: { SELF: "\${SELF}" } }
  b: { command: sh, args: ["\${OWN}"] }
  c: { url: "http://127.0.0.1/\${OWN}", headers: { OWN: x } }
`;
    expect(problems(others, { env: {} })).toEqual([
      'mayday.yaml:2: upstreams.a.env.SELF: The environment variable SELF is not set',
      'mayday.yaml:3: upstreams.b.args.0: The environment variable OWN is not set',
      'mayday.yaml:4: upstreams.c.url: The environment variable OWN is not set',
    ]);
  });
});

describe('where the others are to be served, a variable that is not set', () => {
  const text = `upstreams:
  files: { command: sh, args: ["\${A}", x], env: { K: "\${B}", L: "\${B}", M: m } }
  search: { url: "\${BASE}/mcp", dialect: "\${D}" }
  shop: { openapi: "\${DOC}" }
  good: { url: "http://127.0.0.1/mcp" }
`;

  it('makes one upstream that cannot be used, and warnings', () => {
    const { settings, warnings } = readSettings(text, { env: {}, keepsUnset: true });
    expect([...settings.upstreams].map(([name, { type, unset }]) => [name, type, unset])).toEqual([
      ['files', 'command', ['A', 'B']],
      ['search', 'url', ['BASE', 'D']],
      ['shop', 'openapi', ['DOC']],
      ['good', 'url', undefined],
    ]);
    expect(warnings.map(({ line, path, message }) => `${line} ${path} ${message}`)).toEqual([
      '2 upstreams.files.args.0 The environment variable A is not set; files cannot be used',
      '2 upstreams.files.env.K The environment variable B is not set; files cannot be used',
      '2 upstreams.files.env.L The environment variable B is not set; files cannot be used',
      '3 upstreams.search.url The environment variable BASE is not set; search cannot be used',
      '3 upstreams.search.dialect The environment variable D is not set; search cannot be used',
      '4 upstreams.shop.openapi The environment variable DOC is not set; shop cannot be used',
    ]);
  });

  it('takes nothing from anybody where all are set', () => {
    const env = { A: 'a', B: 'b', BASE: 'http://x', D: 'mcp', DOC: 'https://x/doc.json' };
    const { settings } = readSettings(text, { env, keepsUnset: true });
    expect([...settings.upstreams.values()].map(({ unset }) => unset)).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
    expect(settings.upstreams.get('files')).toMatchObject({
      args: ['a', 'x'],
      env: { K: 'b', L: 'b', M: 'm' },
    });
  });

  it('excuses no mistake beside it, and none of the whole file', () => {
    expect(
      problems(`keys: [{ name: a, key: "\${K}" }]\nupstreams:\n  a: { url: "\${U}" }`, { keepsUnset: true }),
    ).toEqual([
      'mayday.yaml:1: keys.0.key: The environment variable K is not set',
      'mayday.yaml:3: upstreams.a.url: The environment variable U is not set',
    ]);
    expect(problems(`upstreams:\n  a: { url: "\${U}", tmeout_ms: 5 }`, { keepsUnset: true })).toEqual([
      'mayday.yaml:2: upstreams.a.url: The environment variable U is not set',
      'mayday.yaml:2: upstreams.a.tmeout_ms: Unknown setting; did you mean timeout_ms?',
    ]);
    expect(problems(`upstreams: { a: "\${U}" }`, { keepsUnset: true })).toEqual([
      'mayday.yaml:1: upstreams.a: The environment variable U is not set',
    ]);
  });
});

describe('values', () => {
  it.each([
    ['.nan', 'Expected a whole number, from 0 to 65535'],
    ['.inf', 'Expected a whole number, from 0 to 65535'],
    ['-1', 'Expected a whole number, from 0 to 65535'],
    ['1.5', 'Expected a whole number, from 0 to 65535'],
    ['65536', 'Expected a whole number, from 0 to 65535'],
    ['1e999', 'Expected a whole number, from 0 to 65535'],
    ['"80"', 'Expected a whole number, from 0 to 65535'],
    ['', 'Expected a whole number, from 0 to 65535'],
    ['[80]', 'Expected a whole number, from 0 to 65535'],
  ])('a port is not %s', (value, message) => {
    expect(problems(`listen:\n  port: ${value}\n${ONE}`)).toEqual([`mayday.yaml:2: listen.port: ${message}`]);
  });

  it.each([
    ['timeout_ms: 0', 'timeout_ms: Expected milliseconds, from 1 to 2147483647'],
    ['timeout_ms: 2147483648', 'timeout_ms: Expected milliseconds, from 1 to 2147483647'],
    ['timeout_ms: 9007199254740993', 'timeout_ms: Expected milliseconds, from 1 to 2147483647'],
    ['retry: { attempts: 11 }', 'retry.attempts: Expected a whole number, from 1 to 10'],
    [
      'retry: 3',
      'retry: Expected settings with their names: attempts, max_wait_ms, repeatable, never_repeat, trust_annotations, trust_declarations',
    ],
    ['breaker: true', 'breaker: Expected settings with their names: failures, open_ms'],
    ['breaker: { failures: 0 }', 'breaker.failures: Expected a whole number, from 1 to 1000'],
    ['retry: { trust_annotations: yes }', 'retry.trust_annotations: Expected true or false'],
    ['retry: { repeatable: read }', 'retry.repeatable: Expected a list of texts'],
    ['retry: { repeatable: [1] }', 'retry.repeatable.0: Expected text; put it in quotes'],
    ['headers: [a]', 'headers: Expected names with a text each'],
    ['headers: { a b: c }', 'headers.a b: Expected the name of a header'],
    ['headers: { a: "b\\nc" }', 'headers.a: Expected the value of a header: one line of Latin-1'],
    ['headers: { a: "☎" }', 'headers.a: Expected the value of a header: one line of Latin-1'],
    ['headers: { A: b, a: c }', 'headers.a: It is here twice'],
    [
      'headers: { Transfer-Encoding: chunked }',
      'headers.Transfer-Encoding: This header belongs to the connection and cannot be set',
    ],
    ['from: 7', expect.stringMatching(/^from: Expected one of /)],
    ['max_sessions: 5', 'max_sessions: Unknown setting; did you mean sessions?'],
    ['weight: 5', expect.stringMatching(/^weight: Unknown setting; known are url, transport, headers, /)],
    ['proxy: socks5://x', 'proxy: Expected a URL that begins with http:// or https://, or none'],
    [
      'ca: ./nothing.pem',
      expect.stringMatching(/^ca: .*nothing\.pem cannot be read \(ENOENT\); check the path$/),
    ],
    ['transport: ssee', 'transport: Unknown value; did you mean sse?'],
  ])('an upstream is told about %s', (line, said) => {
    const text = `upstreams:\n  a:\n    url: http://127.0.0.1/mcp\n    ${line}\n`;
    const [only, ...more] = problems(text);
    expect([only?.replace('mayday.yaml:4: upstreams.a.', ''), more]).toEqual([said, []]);
  });

  it('does not take a URL whose credentials would silently not be sent, and does not repeat them', () => {
    expect(problems('upstreams:\n  a: { url: "http://me:hunter2@x/mcp" }')).toEqual([
      'mayday.yaml:2: upstreams.a.url: A user and password in a URL are not sent; put them into headers',
    ]);
  });

  it('does not take the same setting under two names', () => {
    expect(problems('upstreams:\n  a: { command: x, max_sessions: 1, sessions: { max: 2 } }')).toEqual([
      'mayday.yaml:2: upstreams.a.max_sessions: The same as sessions.max; keep one of them',
    ]);
    expect(problems('upstreams:\n  a: { command: x, max_sessions: many }')).toEqual([
      'mayday.yaml:2: upstreams.a.max_sessions: Expected a whole number, from 1 to 100000',
    ]);
  });
});

describe('keys', () => {
  const withKeys = (keys: string): readonly string[] => problems(`${ONE}keys:\n${keys}`);

  it('have names and secrets of their own, and no message holds a secret', () => {
    const said = withKeys(`  - { name: a, key: correct-horse }
  - { name: a, key: battery-staple }
  - { name: b, key: correct-horse }
`);
    expect(said).toEqual([
      'mayday.yaml:5: keys.1.name: Another key has this name; names tell callers apart',
      'mayday.yaml:6: keys.2.key: The same as the key at position 1; every caller needs its own',
    ]);
  });

  it('are for upstreams that are there', () => {
    expect(withKeys('  - { name: a, key: correct-horse, upstreams: [a, file, aa] }')).toEqual([
      'mayday.yaml:4: keys.0.upstreams.1: There is no such upstream; known are a',
      'mayday.yaml:4: keys.0.upstreams.2: There is no such upstream; did you mean a?',
    ]);
  });

  it.each(['short', 'with space in it', '"tab\\tbed-key"', 'schlüssel-key', '12345678'])(
    'can be sent in a header: not %s',
    (key) => {
      expect(withKeys(`  - { name: a, key: ${key} }`)).toEqual([
        'mayday.yaml:4: keys.0.key: Expected 8 or more visible characters of ASCII, in quotes and without spaces',
      ]);
    },
  );

  it('have a role', () => {
    expect(withKeys('  - { name: a, key: correct-horse, role: operater }')).toEqual([
      'mayday.yaml:4: keys.0.role: Unknown value; did you mean operator?',
    ]);
    expect(withKeys('  - { name: a }')).toEqual(['mayday.yaml:4: keys.0: key is missing']);
    expect(withKeys('  a: b')).toEqual(['mayday.yaml:3: keys: Expected a list']);
  });
});

it('has no port for two doors', () => {
  const at = (text: string): readonly string[] => problems(`${text}\n${ONE}`);
  expect(at('listen: { port: 7400 }\nadmin: { listen: { port: 7400 } }')).toEqual([
    'mayday.yaml:2: admin.listen.port: The same as listen.port; leave it out to have both at one port, or choose another',
  ]);
  expect(at('admin: { port: 7351 }')).toEqual([
    expect.stringMatching(/^mayday\.yaml:1: admin\.port: Unknown setting; /),
  ]);
  expect(at('admin: { listen: 7351 }')).toEqual([
    'mayday.yaml:1: admin.listen: Expected settings with their names: port, host',
  ]);
});

describe('warnings', () => {
  const warnings = (text: string, env = {}): readonly string[] =>
    readSettings(text, { env, baseDir: '/' }).warnings.map(
      ({ line, path, message }) => `${line} ${path}: ${message}`,
    );

  it.each(['0.0.0.0', '"::"', '10.1.2.3', 'gateway.example'])('tell of an open door at %s', (host) => {
    expect(warnings(`listen: { host: ${host} }\n${ONE}`)).toEqual([
      '1 listen.host: Whoever reaches this address can call every upstream; add keys, or listen on 127.0.0.1',
    ]);
  });

  it('tell of an open door for operators', () => {
    const at = (admin: string): readonly string[] => warnings(`admin: ${admin}\n${ONE}`);
    expect(at('{ listen: { host: 0.0.0.0, port: 7351 } }')).toEqual([
      '1 admin.listen.host: Whoever reaches this address can read the status and the faults; add keys, or listen on 127.0.0.1',
    ]);
    expect([at('{ listen: { port: 7351 } }'), at('{ listen: { host: 0.0.0.0 } }'), at('false')]).toEqual([
      [],
      [],
      [],
    ]);
  });

  it.each(['127.0.0.1', 'localhost', '"::1"', '127.9.9.9'])('are none at %s', (host) => {
    expect(warnings(`listen: { host: ${host} }\n${ONE}`)).toEqual([]);
  });

  it('are none at a door with keys', () => {
    expect(warnings(`listen: { host: 0.0.0.0 }\nkeys: [{ name: a, key: correct-horse }]\n${ONE}`)).toEqual(
      [],
    );
  });

  it('tell of commands, folders and documents that are not there', () => {
    const text = `upstreams:
  typo: { command: npxx-no-such-command }
  fine: { command: sh }
  own-path: { command: sh, env: { PATH: /nowhere } }
  path: { command: ./no-such-script }
  line: { command: npxx -y some-server }
  folder: { command: sh, cwd: /no/such/folder }
  api: { openapi: /no/such/shop.yaml }
  far: { openapi: 'https://shop.example/openapi.yaml' }
`;
    expect(warnings(text, { PATH: '/usr/bin:/bin' })).toEqual([
      '2 upstreams.typo.command: command not found: npxx-no-such-command',
      '4 upstreams.own-path.command: command not found: sh',
      '5 upstreams.path.command: command not found: ./no-such-script',
      '6 upstreams.line.command: command not found: npxx -y some-server. Give `npxx` alone as `command` of this server, and the words behind it as `args`.',
      '7 upstreams.folder.cwd: There is no folder /no/such/folder',
      '8 upstreams.api.openapi: There is no file /no/such/shop.yaml',
    ]);
  });
});

describe('files that are none', () => {
  it('are told with a line', () => {
    expect(problems('upstreams:\n  a: [1,\n')[0]).toMatch(/^mayday\.yaml:\d+: /);
    expect(problems('a: 1\na: 2\n')).toEqual(['mayday.yaml:2: a is here twice']);
    expect(problems('? [a]\n: 1\n')).toEqual(['mayday.yaml:1: Expected a name, not a list or a mapping']);
    expect(problems('upstreams:\n  a: *b\n')[0]).toMatch(/^mayday\.yaml:\d+: /);
  });

  it.each([
    ['{}', ['mayday.yaml:1: upstreams is missing']],
    ['upstreams:', ['mayday.yaml:1: upstreams: Expected upstreams with their names']],
    [
      'mcpServers: { a: { command: node } }',
      ['mayday.yaml:1: mcpServers: Unknown setting; here it is called upstreams'],
    ],
    ['upstreamz: {}', ['mayday.yaml:1: upstreamz: Unknown setting; did you mean upstreams?']],
    [
      'upstream: { a: { command: node } }\nkeys: [{ name: k, key: correct-horse, upstreams: [a] }]\nvirtual: { v: { tools: [a/*], rename: { a/x: y } } }',
      ['mayday.yaml:1: upstream: Unknown setting; did you mean upstreams?'],
    ],
    ['upstream: {}', ['mayday.yaml:1: upstream: Unknown setting; did you mean upstreams?']],
    [
      'servers: {}\nupstreams: { a: { command: node } }',
      ['mayday.yaml:1: servers: Unknown setting; here it is called upstreams'],
    ],
    [
      'port: 1\nupstreams: { a: { command: node } }',
      ['mayday.yaml:1: port: Unknown setting; here it is called listen.port'],
    ],
    [
      'upstreams: { a: { command: node, type: stdio } }',
      [
        'mayday.yaml:1: upstreams.a.type: Unknown setting; leave it out; command, url or openapi says what an upstream is',
      ],
    ],
    [
      'upstreams: { a: { serverUrl: "http://a.example" } }',
      [
        'mayday.yaml:1: upstreams.a: An upstream has one of command, url and openapi; serverUrl is called url here',
      ],
    ],
    [
      'colour: red\nupstreams: { a: { command: node } }',
      [
        expect.stringContaining(
          'colour: Unknown setting; known are upstreams, virtual, listen, workers, dialect, keys',
        ),
      ],
    ],
    ['upstreams: {}', ['mayday.yaml:1: upstreams: Expected at least one upstream']],
    ['', ['mayday.yaml:1: Expected settings with their names', 'mayday.yaml:1: upstreams is missing']],
    [
      'just text',
      ['mayday.yaml:1: Expected settings with their names', 'mayday.yaml:1: upstreams is missing'],
    ],
    ['[1, 2]', ['mayday.yaml:1: Expected settings with their names', 'mayday.yaml:1: upstreams is missing']],
  ])('as %j', (text, said) => {
    expect(problems(text)).toEqual(said);
  });

  const LETTERS = 'abcdefghijklmnop';
  const bomb = [...LETTERS]
    .map((letter, i) => {
      const below = i === 0 ? 'x' : `*${LETTERS[i - 1]}`;
      return `${letter}: &${letter} [${Array(9).fill(below).join(', ')}]`;
    })
    .join('\n');

  it.each([
    ['an alias bomb', bomb, 'mayday.yaml:1: Its aliases lead nowhere or stand for too much; write them out'],
    ['a huge file', `${ONE}${'#'.repeat(262_144)}`, 'mayday.yaml:1: The file is larger than 262144 bytes'],
    [
      'deep brackets',
      `a: ${'['.repeat(60_000)}${']'.repeat(60_000)}`,
      expect.stringMatching(/^mayday\.yaml:1: /),
    ],
    [
      'a deep list',
      `${ONE}x: ${'['.repeat(500)}1${']'.repeat(500)}`,
      'mayday.yaml:3: x: It is nested too deeply',
    ],
    ['deep keys', '? '.repeat(60_000), expect.stringMatching(/^mayday\.yaml:1: /)],
    ['another type', `${ONE}keys: !!set {a: }`, 'mayday.yaml:3: keys: Expected a list'],
    [
      'a prototype',
      `${ONE}__proto__: { dialect: onx }`,
      expect.stringContaining('__proto__: Unknown setting'),
    ],
    ['a constructor', `${ONE}constructor: 1`, expect.stringContaining('constructor: Unknown setting')],
  ])('as %s', (_what, text, said) => {
    expect(problems(text)[0]).toEqual(said);
  });

  it('cost no more than their size, however many mistakes they hold', () => {
    const many = Array.from({ length: 20_000 }, (_, i) => `k${i}: 1`).join('\n');
    const started = threadClock();
    expect(problems(many)).toHaveLength(50);
    expect(threadClock() - started).toBeLessThan(15_000);
  });
});

it('lets what was typed win', () => {
  const { settings } = readSettings(`listen: { port: 80, host: 127.0.0.2 }\ndialect: onx\n${ONE}`, {
    override: { port: 0, dialect: 'closient' },
  });
  expect(settings).toMatchObject({ listen: { port: 0, host: '127.0.0.2' }, dialect: 'closient' });
  expect(settings.upstreams.get('a')?.dialect).toBe('closient');
});

it('tells of a mistake whatever was typed in its place', () => {
  const read = (): unknown =>
    readSettings(`listen: { port: 7350x }\ndialect: onxx\n${ONE}`, { override: { port: 0, dialect: 'onx' } });
  expect(read).toThrow(/1: listen\.port: .*\n.*2: dialect: /);
});

it('is total: whatever the text, there are settings or a sentence', () => {
  const piece = fc.constantFrom(
    'upstreams:',
    '\n  a: ',
    '{ url: http://x/ }',
    '{ command: [',
    'keys: ',
    '- ',
    '? ',
    '&a ',
    '*a',
    '!!binary ',
    '<<: ',
    '"\\x',
    `\${A}`,
    '\n',
    ': ',
    '\u0000',
    '\ud800',
    '| \n',
    '%YAML 9.9\n---\n',
  );
  const text = fc.array(fc.oneof(piece, fc.string({ unit: 'binary', maxLength: 4 })), { maxLength: 20 });
  fc.assert(
    fc.property(text, (pieces) => Array.isArray(problems(pieces.join('')))),
    { numRuns: runs(2000) },
  );
});

it.each([
  ['keys: [ { name: "a\\ud800", key: a-key-12345 } ]', 'keys.0.name'],
  ['keys: [ { name: a, tenant: "\\udc00", key: a-key-12345 } ]', 'keys.0.tenant'],
  ['limits: { rates: [ { calls: 1, per_ms: 1, tools: ["a\\ud83d"] } ] }', 'limits.rates.0.tools.0'],
])('half a character tells nothing apart: %s', (line, path) => {
  const text = `${line}\nupstreams: { a: { url: http://127.0.0.1:1/mcp } }`;
  expect(() => readSettings(text)).toThrow(`${path}: Expected text; this holds half a character`);
});

it('a secret in the place of a name is in no sentence about it', () => {
  const secret = ['ghp', 'aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC1dE3fG5'].join('_');
  const text = `upstreams: { a: { url: http://127.0.0.1:1/mcp, headers: { ${secret}: 1 } } }`;
  expect(() => readSettings(text)).toThrow('upstreams.a.headers.[token:1]: Expected text; put it in quotes');
});
