import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

/**
 * Generic code knows no dialect by its name: what differs between systems is a fact of the dialect. Names may stand
 * where a dialect is chosen (a default, an argument of `write`), never where one is told from another.
 */
const SYSTEMS = 'closient|onx|erlmcp|qaqnuz|platica';
const ALL = `${SYSTEMS}|mcp(?:@[a-z0-9-]+)?|problem|tool-failure|mayday`;

/** Comparing, switching, looking up: `=== 'onx'`, `case 'onx':`, `new Set(['onx', …`, `onx: …`. */
const SWITCHES: readonly RegExp[] = [
  new RegExp(`(?:[!=]==?|\\bcase|\\.(?:has|includes|startsWith|get)\\()\\s*'(?:${ALL})'`, 'g'),
  new RegExp(`'(?:${ALL})'\\s*(?:[!=]==?)`, 'g'),
  new RegExp(`\\[\\s*'(?:${ALL})',\\s*'(?:${ALL})'`, 'g'),
  new RegExp(`^\\s*'?(?:${SYSTEMS}|mcp@[a-z0-9-]+|tool-failure)'?:`, 'gm'),
  new RegExp(`\\b(?:${SYSTEMS})[A-Z_]\\w*|\\b(?:CLOSIENT|ONX|ERLMCP|QAQNUZ|PLATICA)_\\w+`, 'g'),
];

const root = new URL('../packages/', import.meta.url);

/** The demo is about the five systems; their names are its subject. */
const EXEMPT = /^core\/src\/dialects\/|^cli\/src\/demo\/|\.test\.ts$|\.fixture\.ts$/;

const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter((file) => /^[a-z]+\/src\/.*\.ts$/.test(file) && !EXEMPT.test(file))
  .sort();

function switchesIn(source: string): string[] {
  const code = source.replace(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm, '');
  return SWITCHES.flatMap((pattern) => [...code.matchAll(pattern)].map(([found]) => found.trim()));
}

describe('dialects are told apart by their facts', () => {
  it('looks at the sources', () => {
    expect(files.length).toBeGreaterThan(200);
  });

  it.each([
    `if (dialect === 'erlmcp') wait();`,
    `switch (id) { case 'closient': }`,
    `new Set(['mayday', 'mcp'])`,
    `const WAITS = {\n  closient: 5000,\n};`,
    `dialect.startsWith('mcp@')`.replace('mcp@', 'mcp'),
    `import { QAQNUZ_TEXTS } from '@mayday/core';`,
  ])('would find %s', (source) => {
    expect(switchesIn(source)).not.toEqual([]);
  });

  it.each([`dialect = 'mayday'`, `write(fault, 'mcp', options)`, `// not 'erlmcp' === x`])(
    'leaves %s alone',
    (source) => {
      expect(switchesIn(source)).toEqual([]);
    },
  );

  it.each(files)('%s', (file) => {
    expect(switchesIn(readFileSync(new URL(file, root), 'utf8'))).toEqual([]);
  });
});
