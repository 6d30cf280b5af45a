import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { missingFrom } from '../scripts/complete-lock.ts';

describe.each(['package-lock.json', 'site/package-lock.json'])('%s', (name) => {
  const lock = JSON.parse(readFileSync(new URL(`../${name}`, import.meta.url), 'utf8'));

  it('holds the packages of every platform, or npm ci refuses it (repair: npm run lock)', () => {
    expect(missingFrom(lock)).toEqual([]);
  });

  it('names no registry: whoever installs has one', () => {
    const resolved = Object.values<{ resolved?: string }>(lock.packages).flatMap(
      (entry) => entry.resolved ?? [],
    );
    expect(resolved.filter((from) => from.includes(':'))).toEqual([]);
  });
});

it('finds what is missing', () => {
  const parent = {
    optionalDependencies: { '@tool/linux-x64': '1.2.3', '@tool/darwin-arm64': '1.2.3' },
    dev: true,
  };
  const lock = {
    packages: { 'node_modules/tool': parent, 'node_modules/@tool/linux-x64': { version: '1.2.3' } },
  };
  expect(missingFrom(lock)).toEqual([{ name: '@tool/darwin-arm64', version: '1.2.3', dev: true }]);
});
