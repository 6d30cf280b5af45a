/** The settings of the page are settings that the gateway takes, and its names are names that it gives. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { createNames } from '../joined/names.ts';
import { readSettings } from '../settings/read-settings.ts';

const page = readFileSync(new URL('../../../../docs/shaping.md', import.meta.url), 'utf8');

it('has settings without mistakes', () => {
  const yaml = /```yaml\n([\s\S]*?)```/.exec(page)?.[1] ?? '';
  const { settings, warnings } = readSettings(yaml);
  expect([...settings.virtual.keys()]).toEqual(['desk']);
  expect(warnings.filter(({ path }) => path.startsWith('virtual'))).toEqual([]);
});

it('has names as they are', () => {
  const rows = [...page.matchAll(/^\| `(files)` \| `([^`]+)` \| `([^`]+)` \|$/gm)];
  expect(rows).toHaveLength(3);
  const names = createNames(['files'], '_', { areSafe: true });
  for (const [, upstream = '', own = '', shown] of rows) expect(names.join(upstream, own)).toBe(shown);
});
