// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are references of clients
import { parseYaml } from '@mayday/gateway';
import { expect, test } from 'vitest';
import { planImport } from './plan.ts';

const FILE = {
  $schema: 'https://opencode.ai/config.json',
  mcp: {
    memory: {
      type: 'local',
      command: ['npx', '-y', 'server-memory'],
      enabled: true,
      environment: { KEY: '{env:MEMORY_KEY}' },
    },
    docs: { type: 'remote', url: 'https://docs.example/mcp', headers: { 'x-key': '{env:DOCS_KEY}' } },
    old: { type: 'local', command: ['old'], enabled: false },
  },
};

const PLACE = {
  from: '/h/opencode.json',
  known: undefined,
  cwd: '/w',
  to: '/w/mayday.yaml',
  home: '/h',
  launch: ['mayday'],
};

test('servers of opencode are imported, and its new entry is in its own form', () => {
  const plan = planImport({ ...PLACE, yaml: undefined, text: JSON.stringify(FILE, null, 2) });
  expect(parseYaml(plan.yaml ?? '').value).toMatchObject({
    upstreams: {
      memory: { command: 'npx', args: ['-y', 'server-memory'], env: { KEY: '${MEMORY_KEY}' } },
      docs: { url: 'https://docs.example/mcp', headers: { 'x-key': '${DOCS_KEY}' } },
    },
  });
  expect(plan.missing).toEqual([]);
  expect(JSON.parse(plan.text ?? '')).toEqual({
    $schema: FILE.$schema,
    mcp: {
      old: FILE.mcp.old,
      mayday: {
        type: 'local',
        command: ['mayday', 'gateway', '--stdio', '--config', '/w/mayday.yaml'],
        environment: { MEMORY_KEY: '{env:MEMORY_KEY}', DOCS_KEY: '{env:DOCS_KEY}' },
      },
    },
  });
  const again = planImport({ ...PLACE, yaml: plan.yaml, text: plan.text ?? '' });
  expect(again.state).toBe('old');
});

test.each([{ mcp: { allowed: ['a'] } }, { mcp: { servers: {} } }, { mcp: [1] }, { mcp: 'x' }])(
  'what others have under the same name is none of its own: %j',
  (file) => {
    expect(planImport({ ...PLACE, yaml: undefined, text: JSON.stringify(file) }).state).toBe('none');
  },
);
