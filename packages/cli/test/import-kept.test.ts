/** The files that `mayday import` meets: whose they are, who may read them, what is kept of them and what is left alone. */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are references of clients
import {
  chownSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { CURSOR, home, mayday, SECRET, withHome, work, write } from './import-files.ts';

withHome();

test('secrets are not shown, and what holds them is for the user alone', async () => {
  const file = write('.cursor/mcp.json', CURSOR);
  const { code, out, err } = await mayday(['import', 'cursor']);
  expect([code, out]).toEqual([0, '']);
  expect(err).not.toContain(SECRET);
  expect(err).not.toContain('hunter2');
  const yaml = join(work, 'mayday.yaml');
  expect(err).toContain(`secrets are now in ${yaml} too: upstreams.github.env.TOKEN, upstreams.github.args;`);
  expect(readFileSync(yaml, 'utf8')).toContain(SECRET);
  expect(statSync(yaml).mode & 0o777).toBe(0o600);
  expect(statSync(file).mode & 0o777).toBe(0o644);
});

test.each([
  [0o644, 0o600],
  [0o664, 0o600],
  [0o640, 0o600],
  [0o600, 0o600],
  [0o400 | 0o200, 0o600],
])(
  'a file of settings with the mode %o that gets secrets is for the user alone, too',
  async (before, after) => {
    write('.cursor/mcp.json', CURSOR, 0o600);
    const yaml = write('work/mayday.yaml', 'upstreams: { mine: { command: node } }\n', before);
    const { code, err } = await mayday(['import', 'cursor', '--to', 'mayday.yaml']);
    expect([code, statSync(yaml).mode & 0o777]).toEqual([0, after]);
    expect(err.includes(`only you can read ${yaml} from now on`)).toBe(before !== after);
    const [copy = ''] = readdirSync(work).filter((name) => name.startsWith('mayday.yaml.bak-'));
    expect(statSync(join(work, copy)).mode & 0o777).toBe(before);
  },
);

test('a file of settings that gets no secrets is read by whom it was', async () => {
  write(
    '.cursor/mcp.json',
    '{"mcpServers":{"a":{"command":"node","env":{"LEVEL":"1","T":"${env:T}"}}}}',
    0o600,
  );
  const yaml = write('work/mayday.yaml', 'upstreams: { mine: { command: node } }\n', 0o644);
  const { code, err } = await mayday(['import', 'cursor', '--to', 'mayday.yaml']);
  expect([code, err.includes('only you can read')]).toEqual([0, false]);
  expect(statSync(yaml).mode & 0o777).toBe(0o644);
});

test.skipIf(process.getuid?.() !== 0)('files stay their owner’s', async () => {
  const file = write('.cursor/mcp.json', CURSOR, 0o600);
  const yaml = write('work/mayday.yaml', 'upstreams: { mine: { command: node } }\n', 0o640);
  for (const path of [file, yaml]) chownSync(path, 65_534, 65_533);
  expect((await mayday(['import', 'cursor', '--to', 'mayday.yaml'])).code).toBe(0);
  for (const path of [file, yaml, ...copiesOf(file), ...copiesOf(yaml)]) {
    const { uid, gid } = statSync(path);
    expect([path, uid, gid]).toEqual([path, 65_534, 65_533]);
  }
});

function copiesOf(file: string): string[] {
  const folder = dirname(file);
  return readdirSync(folder)
    .filter((name) => name.startsWith(`${basename(file)}.bak-`))
    .map((name) => join(folder, name));
}

test.each([
  ['a mistake', 'upstrems: { z: { command: node } }\n', 'mayday.yaml:1: upstrems: Unknown setting'],
  [
    'a mistake further down',
    'upstreams:\n  z: { command: node }\nlisten: { prt: 1 }\n',
    'mayday.yaml:3: listen.prt: Unknown setting; did you mean port?',
  ],
  [
    'nothing at /mcp',
    'upstreams: { z: { command: node } }\njoined: { enabled: false }\n',
    'mayday.yaml:2: joined.enabled: The client would find no servers at all; set it to true',
  ],
])(
  'a gateway that would not serve the client is not put in the place of its servers: %s',
  async (_, text, why) => {
    const file = write('.cursor/mcp.json', CURSOR);
    const yaml = write('work/mayday.yaml', text);
    for (const more of [[], ['--dry-run']]) {
      const { code, out, err } = await mayday(['import', 'cursor', '--to', 'mayday.yaml', ...more]);
      expect([code, out]).toEqual([2, '']);
      expect(err).toContain('nothing was imported');
      expect(err).toContain(why);
    }
    expect([readFileSync(file, 'utf8'), readFileSync(yaml, 'utf8')]).toEqual([CURSOR, text]);
    expect(readdirSync(work)).toEqual(['mayday.yaml']);
  },
);

test('--dry-run prints the file and changes nothing', async () => {
  const file = write('.cursor/mcp.json', CURSOR);
  const dry = await mayday(['import', file, '--dry-run']);
  expect([dry.code, readFileSync(file, 'utf8'), readdirSync(work)]).toEqual([0, CURSOR, []]);
  expect((await mayday(['import', file])).code).toBe(0);
  expect(readFileSync(join(work, 'mayday.yaml'), 'utf8')).toBe(dry.out);
  const again = await mayday(['import', file, '--dry-run']);
  expect([again.code, again.out]).toEqual([0, dry.out]);
});

test('a copy of what was there is kept, and doing it again changes nothing', async () => {
  const file = write('.cursor/mcp.json', CURSOR, 0o640);
  await mayday(['import', 'cursor', '--to', 'sub.yaml']);
  const folder = dirname(file);
  const [copy = '', ...more] = readdirSync(folder).filter((name) => name.startsWith('mcp.json.bak-'));
  expect(more).toEqual([]);
  expect(copy).toMatch(/^mcp\.json\.bak-\d{8}T\d{6}Z$/);
  expect(readFileSync(join(folder, copy), 'utf8')).toBe(CURSOR);
  expect([statSync(join(folder, copy)).mode & 0o777, statSync(file).mode & 0o777]).toEqual([0o640, 0o640]);
  const before = [readFileSync(file, 'utf8'), readFileSync(join(work, 'sub.yaml'), 'utf8')];
  const again = await mayday(['import', 'cursor', '--to', 'sub.yaml']);
  expect(again).toEqual({
    code: 0,
    out: '',
    err: 'nothing to import: Cursor starts the gateway already, and nothing else that it can serve\n',
  });
  expect([readFileSync(file, 'utf8'), readFileSync(join(work, 'sub.yaml'), 'utf8')]).toEqual(before);
  expect(readdirSync(folder).length).toBe(2);
});

test('a client’s file of more than 4 MiB is told to be too large to be settings', async () => {
  const of = (size: number): string =>
    write('mcp.json', `{"x":"${'y'.repeat(size)}",\n"mcpServers":{"a":{"command":"\${NOT_SET}"}}}`);
  expect((await mayday(['gateway', '--config', of(4_194_304 - 100)])).err).toContain(
    'mcp.json:2: upstreams.a.command: The environment variable NOT_SET is not set',
  );
  expect((await mayday(['gateway', '--config', of(4_194_304)])).err).toContain(
    'The file is larger than 4194304 bytes; of a client’s, take the servers over with mayday import',
  );
});

test('a file that is not meant to be written is left alone', async () => {
  const folder = write('locked/mcp.json', CURSOR, 0o400);
  const { code, err } = await mayday(['import', folder]);
  // Whoever may write everything is not asked.
  expect([code, err.includes('cannot be written (EACCES: you may not write there)')]).toEqual(
    process.getuid?.() === 0 ? [0, false] : [2, true],
  );
});

test('links are followed', async () => {
  const real = write('dotfiles/mcp.json', CURSOR, 0o600);
  mkdirSync(join(home, '.cursor'));
  symlinkSync(real, join(home, '.cursor/mcp.json'));
  expect((await mayday(['import', 'cursor'])).code).toBe(0);
  expect(lstatSync(join(home, '.cursor/mcp.json')).isSymbolicLink()).toBe(true);
  expect(readFileSync(real, 'utf8')).toContain('"mayday"');
});

test('a mayday.yaml with mistakes is left alone, and so is the client’s file', async () => {
  const file = write('.cursor/mcp.json', CURSOR);
  writeFileSync(join(work, 'mayday.yaml'), 'upstreams: [\n');
  const { code, err } = await mayday(['import', 'cursor', '--to', 'mayday.yaml']);
  expect([code, err.split('\n')[0]]).toEqual([2, 'mayday: nothing was imported']);
  expect(err).toContain(`${join(work, 'mayday.yaml')}:`);
  expect(readFileSync(file, 'utf8')).toBe(CURSOR);
});
