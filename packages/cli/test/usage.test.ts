import { spawnSync } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { mayday, PROGRAM } from './mayday.ts';

test.each([
  [['reed'], 'mayday: there is no command "reed"; did you mean read?'],
  [['--verson'], 'mayday: there is no flag "--verson"; did you mean --version?'],
  [['--password=hunter2x9Q'], 'mayday: there is no flag "--password"; use one of --help, --version'],
  [['help', 'translat'], 'mayday: there is no command "translat"; did you mean translate?'],
  [
    ['__proto__'],
    'mayday: there is no command "__proto__"; use one of read, translate, explain, redact, catalog, gateway, wrap, import, doctor, keys, credentials, approvals, audit, store, faults, status, demo',
  ],
  [['read', '--form', 'onx'], 'mayday: `mayday read` has no flag --form; did you mean --from?'],
  [
    ['read', '-x'],
    'mayday: `mayday read` has no flag -x; use one of --from, --with, --disguised, --why, --json, --jsonl, --compact, --help',
  ],
  [['read', '--from', 'erlmpc'], 'mayday: --from knows no dialect "erlmpc"; did you mean erlmcp?'],
  [['read', '--from'], 'mayday: --from needs a value; write `--from <value>`'],
  [['read', '--from', '--jsonl'], 'mayday: --from needs a value; write `--from <value>`'],
  [['read', '--jsonl=yes'], 'mayday: --jsonl takes no value; write it alone'],
  [['read', 'file.json'], 'mayday: `mayday read` takes no argument "file.json"; pipe the message into it'],
  [['translate'], 'mayday: `mayday translate` needs a target; add `--to <dialect>`, for example --to mayday'],
  [['translate', '--to', 'closent'], 'mayday: --to knows no dialect "closent"; did you mean closient?'],
  [['explain'], 'mayday: `mayday explain` needs something to explain; try `mayday explain -32001`'],
  [['catalog', 'chekc'], 'mayday: `mayday catalog` cannot "chekc"; did you mean check?'],
  [['catalog', '--format', 'htm'], 'mayday: --format knows no "htm"; did you mean html?'],
  [
    ['catalog', 'check'],
    'mayday: `mayday catalog check` needs one lock file; write `mayday catalog check LOCK`',
  ],
])('%j is wrong usage', async (args, sentence) => {
  expect(await mayday(args)).toEqual({ code: 2, out: '', err: `${sentence}\n` });
});

test.each([
  ['help', ['--help']],
  ['help-read', ['read', '--help']],
  ['help-translate', ['translate', '-h']],
  ['help-explain', ['explain', '-32001', '--help']],
  ['help-redact', ['help', 'redact']],
  ['help-catalog', ['catalog', 'check', '--help']],
  ['help-import', ['import', '--help']],
])('prints %s', async (name, args) => {
  const { code, out, err } = await mayday(args);
  expect({ code, err }).toEqual({ code: 0, err: '' });
  await expect(out).toMatchFileSnapshot(`./golden/${name}.txt`);
});

test('prints the overview without arguments', async () => {
  const [bare, help] = await Promise.all([mayday([]), mayday(['--help'])]);
  expect(bare).toEqual(help);
});

test('prints the version of the package', async () => {
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
    version: string;
  };
  expect(await mayday(['--version'])).toEqual({ code: 0, out: `${version}\n`, err: '' });
});

test('says so in one sentence when the answer cannot be written', () => {
  const full = openSync('/dev/full', 'w');
  const { status, stderr } = spawnSync(process.execPath, [...PROGRAM, '--version'], {
    stdio: ['ignore', full, 'pipe'],
    encoding: 'utf8',
  });
  closeSync(full);
  expect({ status, stderr }).toEqual({
    status: 2,
    stderr: 'mayday: the answer cannot be written (ENOSPC); check where it goes\n',
  });
});
