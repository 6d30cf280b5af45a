import { openCounts } from '@mayday/reference-shared';
import { tempFolder } from '@mayday/reference-shared/testing';
import { describe, expect, it } from 'vitest';
import { createApi } from './api.ts';
import { BEGINNINGS, BODIES, checkBody } from './bodies.ts';
import { disableKey, mintKey, requireKey, requireWorkspace } from './keys.ts';
import { createLimit } from './limit.ts';
import { openStore } from './store.ts';

/** The body of a refusal. */
async function refused(run: () => unknown): Promise<unknown> {
  try {
    await run();
    return undefined;
  } catch (thrown) {
    return (thrown as Response).json();
  }
}

const store = openStore(tempFolder());
const counts = openCounts(tempFolder(), 1000);

describe('a key', () => {
  const unknown = {
    code: 401,
    error: 'Invalid API key',
    details: 'The key is missing, invalid or disabled. Regenerate it in the dashboard.',
  };

  it('is refused alike when it is missing, malformed, unknown or disabled', async () => {
    const disabled = mintKey(store, ['ws_norte']);
    expect(requireKey(store, `Bearer ${disabled}`).workspaces).toEqual(['ws_norte']);
    expect(disableKey(store, disabled)).toBe(true);
    expect(disableKey(store, 'nobody')).toBe(false);
    for (const header of [
      null,
      'Bearer nonsense',
      `Bearer pl_key_abc_${'x'.repeat(32)}`,
      `Bearer ${disabled}`,
    ]) {
      expect(await refused(() => requireKey(store, header))).toEqual(unknown);
    }
  });

  it('opens its only workspace, and must be told which of several', async () => {
    const [one, both] = [['ws_norte'], ['ws_norte', 'ws_sur']].map((workspaces) => ({ id: 'k', workspaces }));
    expect([undefined, null, '', 'ws_norte'].map((given) => requireWorkspace(one as never, given))).toEqual(
      Array(4).fill('ws_norte'),
    );
    expect(await refused(() => requireWorkspace(both as never, undefined))).toEqual({
      code: 400,
      error: 'Must specify a valid workspace for this key',
      details: 'One of: ws_norte, ws_sur',
    });
    for (const given of ['ws_sur', 5, ['ws_norte']]) {
      expect(await refused(() => requireWorkspace(one as never, given))).toEqual({
        code: 403,
        error: 'Access denied',
        details: 'The key has no access to this workspace.',
      });
    }
  });
});

describe('a body', () => {
  it.each([
    ['client', { name: '' }, { field: 'name', message: 'is empty' }],
    ['client', { name: 'x'.repeat(101) }, { field: 'name', message: 'is too long' }],
    ['client', { name: 'Ana', email: 'ana' }, { field: 'email', message: 'is not an email address' }],
    [
      'webhook',
      { url: 'http://x.example', events: ['client.created'] },
      { field: 'url', message: 'must be an https address' },
    ],
    ['webhook', { url: 'https://x.example', events: [] }, { field: 'events', message: 'names no event' }],
  ] as const)('of a %s: %j is flagged', async (kind, body, flagged) => {
    expect(await refused(() => checkBody(BODIES[kind], body))).toEqual({
      code: 400,
      error: 'Invalid arguments',
      details: 'Fix the flagged fields.',
      errors: [flagged],
    });
  });

  it.each([
    ['client', { name: 'x'.repeat(100), email: 'ana@example.com', phone: '1'.repeat(32) }],
    ['agent', { name: 'A' }],
    ['campaign', { name: 'A', agent_id: 'a' }],
    ['webhook', { url: 'https://x.example', events: ['client.created', 'campaign.launched'] }],
  ] as const)('of a %s: %j is taken', (kind, body) => {
    expect(checkBody(BODIES[kind], body)).toEqual(body);
  });

  it('begins as a draft, or without anybody under it', () => {
    expect(BEGINNINGS).toEqual({
      client: {},
      agent: { subagents: [] },
      campaign: { status: 'draft' },
      webhook: {},
    });
  });
});

describe('the interface', () => {
  const logged: string[] = [];
  const logger = { error: (_fields: object, message: string) => void logged.push(message) };
  const authorization = `Bearer ${mintKey(store, ['ws_norte'])}`;
  const ask = async (path: string, init: RequestInit = {}) => {
    const api = createApi({ store, counts, logger: logger as never, perSecond: 1000 });
    return (await api(new Request(`http://x/api/v1${path}`, { ...init, headers: { authorization } }))).json();
  };

  it('says what is not there, and what is no body', async () => {
    expect(await ask('/nothing')).toEqual({ code: 404, error: 'Endpoint not found' });
    expect(await ask('/clients', { method: 'PUT' })).toEqual({ code: 405, error: 'Method not allowed' });
    const api = createApi({ store, counts, logger: logger as never, perSecond: 1000 });
    const put = new Request('http://x/api/v1/clients', { method: 'PUT', headers: { authorization } });
    expect((await api(put)).headers.get('allow')?.split(', ').sort()).toEqual(['GET', 'POST']);
    for (const body of ['[]', 'null', '{']) {
      expect(await ask('/clients', { method: 'POST', body })).toEqual({
        code: 400,
        error: 'Invalid arguments',
        details: 'The body must be a JSON object.',
      });
    }
  });

  it('works in one workspace, however often it is named', async () => {
    const make = (query: string, workspace?: string) =>
      ask(`/agents?${query}`, { method: 'POST', body: JSON.stringify({ name: 'Ana', workspace }) });
    const refusal = { code: 400, error: 'Invalid arguments', details: 'Name one workspace, not several.' };
    expect(await make('workspace=ws_norte', 'ws_sur')).toEqual(refusal);
    expect(await make('workspace=ws_norte&workspace=ws_sur')).toEqual(refusal);
    expect(await make('workspace=ws_norte', 'ws_norte')).toMatchObject({
      name: 'Ana',
      workspace: 'ws_norte',
    });
  });

  it('keeps to itself why it failed', async () => {
    const own = openStore(tempFolder());
    const api = createApi({ store: own, counts, logger: logger as never, perSecond: 1 });
    own.close();
    const answer = await api(new Request('http://x/api/v1/clients', { headers: { authorization } }));
    expect(await answer.json()).toEqual({ code: 500, error: 'Internal server error' });
    expect(logged).toEqual(['The REST interface failed']);
  });

  it('says how often it may be asked', async () => {
    const count = createLimit(openCounts(tempFolder(), 1000), 1, () => 0);
    count('k');
    expect(await refused(() => count('k'))).toEqual({
      code: 429,
      error: 'Too many requests',
      details: 'At most 1 requests a second.',
    });
  });
});
