import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { read } from '@mayday/core';
import { describe, expect, it } from 'vitest';

const root = new URL('../', import.meta.url);
const readme = readFileSync(new URL('README.md', root), 'utf8');

/** Runs `… | mayday …` as a reader would, from the sources. */
function shell(line: string): string {
  const main = fileURLToPath(new URL('packages/cli/src/main.ts', root));
  const mayday = `"${process.execPath}" --conditions=@mayday/source "${main}"`;
  return spawnSync('sh', ['-c', line.replace(/\bmayday (?=\w)/, `${mayday} `)], {
    encoding: 'utf8',
    cwd: fileURLToPath(root),
  }).stdout;
}

describe('the README', () => {
  it('reads what its sample says it reads', () => {
    const [, sample = ''] =
      /```ts\nimport \{ read \} from '@mayday\/core';\n([\s\S]*?)```/.exec(readme) ?? [];
    const promised = [...sample.matchAll(/^ {2}(reading\.[\w.]+); \/\/ ('[^']*'|\d+)(?=[:,]|$)/gm)];
    expect(promised.map(([, member]) => member)).toEqual([
      'reading.fault.kind',
      'reading.fault.reaction',
      'reading.fault.retry.afterMs',
      'reading.fault.executed',
      'reading.dialect',
    ]);
    const [call = ''] = /^const reading = [\s\S]*?;$/m.exec(sample) ?? [];
    const members = promised.map(([, member]) => member).join(', ');
    const values: unknown = new Function('read', `${call}\nreturn [${members}];`)(read);
    expect(values).toEqual(promised.map(([, , value = '']) => JSON.parse(value.replaceAll("'", '"'))));
  });

  it('translates what it says it translates', () => {
    const [, command = '', output = ''] = /\$ (echo .* \| mayday translate .*)\n(.*)\n/.exec(readme) ?? [];
    expect(shell(command).trim()).toBe(output);
    expect(output).toContain('"losses"');
  });

  it('explains what it says it explains', () => {
    const shown = /\$ mayday explain -32001\n([\s\S]*?)\n {2}…/.exec(readme)?.[1] ?? '';
    expect(shown.split('\n').length).toBeGreaterThan(4);
    expect(shell('mayday explain -32001').startsWith(shown)).toBe(true);
  });

  it('names only scripts that exist', () => {
    const { scripts } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8'));
    const named = [...readme.matchAll(/npm run ([\w:-]+)/g)].map((match) => match[1] as string);
    expect(named.filter((name) => !Object.hasOwn(scripts, name))).toEqual([]);
    expect(named.length).toBeGreaterThan(1);
  });

  it('links only to what is there', () => {
    const links = [...readme.matchAll(/\]\((?!https?:)([^)#]+)\)/g)].map((match) => match[1] as string);
    expect(links.length).toBeGreaterThan(5);
    expect(links.filter((link) => !existsSync(new URL(link, root)))).toEqual([]);
  });
});
