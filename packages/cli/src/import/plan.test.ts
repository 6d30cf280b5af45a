// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are references of clients
/** Laws of an import, for any file. */
import { readSettings } from '@mayday/gateway';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runs } from '../../../../test/runs.ts';
import { CLIENTS } from './clients.ts';
import { parseDocument } from './document.ts';
import { type ImportPlan, planImport } from './plan.ts';

const place = {
  from: '/home/ann/mcp.json',
  to: '/w/mayday.yaml',
  home: '/home/ann',
  cwd: '/w',
  launch: ['mayday'],
};

const words = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.constantFrom(
    'npx',
    '${env:A}',
    '${input:b-c}',
    '${D:-e}',
    '$F',
    '__proto__',
    'https://x.example/mcp',
    'a: b',
  ),
);
const texts = fc.dictionary(words, fc.oneof(words, fc.integer(), fc.boolean(), fc.constant(null)), {
  maxKeys: 3,
});
const entry = fc.oneof(
  fc.record(
    {
      command: fc.oneof(words, fc.array(words)),
      args: fc.array(words),
      env: texts,
      cwd: words,
      disabled: fc.boolean(),
      type: fc.constantFrom('stdio', 'http', 'sse', 'other'),
    },
    { requiredKeys: [] },
  ),
  fc.record(
    {
      url: fc.constantFrom('https://x.example/mcp', 'http://y/sse', '${U}', 'z'),
      headers: texts,
      timeout: fc.integer(),
    },
    { requiredKeys: ['url'] },
  ),
  fc.jsonValue({ maxDepth: 3 }),
);
const file = fc.record(
  {
    mcpServers: fc.dictionary(words, entry, { maxKeys: 5 }),
    servers: fc.dictionary(words, entry, { maxKeys: 3 }),
    other: fc.jsonValue(),
  },
  { requiredKeys: [] },
);
const client = fc.constantFrom(undefined, ...CLIENTS);
const known = (of: (typeof CLIENTS)[number] | undefined) =>
  of === undefined ? undefined : { client: of, root: undefined };

test('any text: nothing is thrown', () => {
  const pieces = fc.array(
    fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      '"',
      ':',
      ',',
      '//',
      '/*',
      '*/',
      '\n',
      '\\',
      '"mcpServers"',
      '"a"',
      '1',
      'null',
      '- ',
      '&a',
      '*a',
    ),
    { maxLength: 40 },
  );
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string({ unit: 'binary' }),
        pieces.map((all) => all.join('')),
      ),
      (text) => {
        planImport({ ...place, text, known: undefined, yaml: undefined });
      },
    ),
    { numRuns: runs(500) },
  );
});

/** Every name that a plan says anything about. */
function accounted(plan: ImportPlan): (name: string) => boolean {
  const placed = new Set(plan.placed.map(({ name }) => name));
  const told = plan.told.map(({ message }) => message).join('\n');
  return (name) =>
    placed.has(name) || told.includes(name) || told.includes(JSON.stringify(name.slice(0, 80)));
}

test('any servers: each is taken over or told, the result is settings, and the rest of the file stays', () => {
  fc.assert(
    fc.property(file, client, fc.boolean(), (value, of, isSpread) => {
      const text = JSON.stringify(value, null, isSpread ? 2 : 0);
      const plan = planImport({ ...place, text, known: known(of), yaml: undefined });
      expect([plan.problems, plan.yamlProblems]).toEqual([[], []]);
      const isAccounted = accounted(plan);
      const names = [...Object.keys(value.mcpServers ?? {}), ...Object.keys(value.servers ?? {})];
      expect(names.filter((name) => !isAccounted(name))).toEqual([]);
      const env = Object.fromEntries(plan.variables.map((name) => [name, 'https://x.example']));
      const served =
        plan.placed.length === 0 ? [] : [...readSettings(plan.yaml ?? '', { env }).settings.upstreams.keys()];
      expect(served).toEqual(plan.placed.map(({ here }) => here));
      const now = parseDocument(plan.text ?? 'null').value as { readonly other?: unknown };
      expect(now.other).toEqual((JSON.parse(text) as { readonly other?: unknown }).other);
    }),
    { numRuns: runs(400) },
  );
});

test('any servers: a second import changes nothing', () => {
  fc.assert(
    fc.property(file, client, (value, of) => {
      const first = planImport({ ...place, text: JSON.stringify(value), known: known(of), yaml: undefined });
      const second = planImport({ ...place, text: first.text ?? '', known: known(of), yaml: first.yaml });
      expect([second.text, second.yaml]).toEqual([first.text, first.yaml]);
    }),
    { numRuns: runs(300) },
  );
});

test('comments of the client’s file stay, of servers too, and what stays is not written anew', () => {
  const text = `{
  "servers": {
    "a": { "command": "node" },
    // "old": { "command": "npx" },
    "b": { "url": "https://b.example/mcp", "oauth": { "clientId": "x" } } // signs in by itself
  }
}`;
  const planned = planImport({ ...place, known: undefined, yaml: undefined, text }).text;
  expect(planned).toContain('    // "old": { "command": "npx" },\n');
  expect(planned).toContain(
    '    "b": { "url": "https://b.example/mcp", "oauth": { "clientId": "x" } }, // signs in by itself\n',
  );
  expect(planned).not.toContain('"a"');
});
