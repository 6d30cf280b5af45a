import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { missingFrom } from '../scripts/complete-lock.ts';

it('the lock holds the packages of every platform, or npm ci refuses it (repair: npm run lock)', () => {
  const lock = JSON.parse(readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8'));
  expect(missingFrom(lock)).toEqual([]);
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
