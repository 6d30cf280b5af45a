/** How long a client waits is said in the entries whose place the gateway takes. */
import { parseYaml } from '@mayday/gateway';
import { expect, test } from 'vitest';
import { CLIENTS } from './clients.ts';
import { planImport } from './plan.ts';

const PLACE = { from: '/h/mcp.json', cwd: '/w', to: '/w/mayday.yaml', home: '/h', launch: ['mayday'] };

type Entry = { readonly [field: string]: unknown };

function planned(id: string | undefined, mcpServers: { readonly [name: string]: Entry }) {
  const client = CLIENTS.find((one) => one.id === id);
  const known = client === undefined ? undefined : { client, root: undefined };
  const plan = planImport({ ...PLACE, known, yaml: undefined, text: JSON.stringify({ mcpServers }) });
  const { mayday } = plan.entry as { readonly mayday: Entry };
  return { plan, known, timeout: mayday['timeout'] };
}

const slow = (timeout: unknown): Entry => ({ command: 'node', args: ['slow'], timeout });
const quick: Entry = { command: 'node', args: ['quick'] };

test.each([
  ['cline', 1800, 1800],
  ['roo-code', 3600, 3600],
  ['gemini-cli', 3_600_000, 3_600_000],
  ['amazon-q', 900_000, 900_000],
  ['copilot-cli', 900_000, 900_000],
  ['claude-code', 200_000_000, 200_000_000],
])('%s waits for the gateway as long as for the server with the longest limit', (id, limit, expected) => {
  expect(planned(id, { quick, slow: slow(limit), other: slow(1) }).timeout).toBe(expected);
});

test.each([
  ['cline', 5],
  ['gemini-cli', 5000],
  ['amazon-q', 60_000],
  ['claude-code', 600_000],
])('%s keeps the limit that it has by itself where those of its servers are shorter', (id, limit) => {
  expect(planned(id, { slow: slow(limit) }).timeout).toBeUndefined();
});

test('the gateway waits for as long, also where that is more than it would ever', () => {
  const { plan } = planned('roo-code', { slow: slow(1800), slower: slow(7200) });
  expect(parseYaml(plan.yaml ?? '').value).toMatchObject({
    upstreams: { slow: { timeout_ms: 1_800_000 }, slower: { timeout_ms: 7_200_000, max_time_ms: 7_200_000 } },
  });
});

test('a server that is not taken over has no say', () => {
  const { timeout } = planned('cline', { quick, off: { ...slow(1800), disabled: true } });
  expect(timeout).toBeUndefined();
});

test('a later import can make it wait longer, and never for less', () => {
  const { plan, known } = planned('cline', { slow: slow(1800) });
  const later = (limit: number): unknown => {
    const value = JSON.parse(plan.text ?? '') as { mcpServers: { [name: string]: Entry } };
    value.mcpServers['more'] = slow(limit);
    const again = planImport({ ...PLACE, known, yaml: plan.yaml, text: JSON.stringify(value) });
    return (again.entry['mayday'] as Entry)['timeout'];
  };
  expect([later(90), later(3600)]).toEqual([1800, 3600]);
});

test('opencode waits for as long, in the form of its own', () => {
  const mcp = { slow: { type: 'local', command: ['node', 'slow'], timeout: 60_000 } };
  const plan = planImport({ ...PLACE, known: undefined, yaml: undefined, text: JSON.stringify({ mcp }) });
  expect(plan.entry['mayday']).toMatchObject({ type: 'local', timeout: 60_000 });
});

test.each([
  ['cursor', 'timeout', 60],
  [undefined, 'timeout', 60],
  ['cline', 'timeout', 'long'],
  ['continue', 'connectionTimeout', 60_000],
  ['roo-code', 'watchPaths', ['/x']],
])('what may be for the client and cannot be taken along is told: %s %s', (id, field, value) => {
  const { plan, timeout } = planned(id, { a: { command: 'node', [field]: value } });
  expect(timeout).toBeUndefined();
  expect(plan.told.map(({ message }) => message).join('\n')).toMatch(
    new RegExp(`a: "?${field}"? is left out.*set it again for the new entry`),
  );
});
