import { describe, expect, it } from 'vitest';
import { isSameUpstream, settingsChanged } from './changes.ts';
import { resolveSettings } from './resolve.ts';
import type { Settings, SettingsFile } from './settings.ts';

function settings(file: Partial<SettingsFile> = {}): Settings {
  return resolveSettings({ upstreams: { a: { url: 'http://127.0.0.1/mcp' } }, ...file }).settings;
}

const changes = (after: Partial<SettingsFile>, before: Partial<SettingsFile> = {}): object =>
  settingsChanged(settings(before), settings(after));

describe('what a new file changes', () => {
  it('is nothing when it says the same, in whichever way', () => {
    expect(changes({ faults: { keep: 1000 }, joined: { separator: '_' } })).toEqual({ now: [], restart: [] });
  });

  it('needs a restart only where the door itself is concerned', () => {
    const listen = { host: '127.0.0.2', port: 1, allowed_hosts: ['x'], allowed_origins: ['http://x'] };
    expect(changes({ listen })).toEqual({
      now: [],
      restart: ['listen.host', 'listen.port', 'listen.allowed_hosts', 'listen.allowed_origins'],
    });
  });

  it.each<[string, Partial<SettingsFile>, string[]]>([
    ['a limit', { limits: { body_bytes: 2048, depth: 16 } }, ['limits.body_bytes', 'limits.depth']],
    ['the faults', { faults: { keep: 1 } }, ['faults.keep']],
    ['a key', { keys: [{ name: 'x', key: 'correct-horse' }] }, ['keys']],
    ['the dialect, which the upstreams follow', { dialect: 'onx' }, ['dialect']],
    ['all sessions, which the upstreams follow', { sessions: { idle_ms: 5000 } }, ['sessions.idle_ms']],
    [
      'an upstream',
      { upstreams: { a: { url: 'http://127.0.0.1/other', retry: { attempts: 1 }, breaker: false } } },
      ['upstreams.a.url', 'upstreams.a.retry.attempts', 'upstreams.a.breaker'],
    ],
    [
      'tools of an upstream, and a virtual server',
      {
        upstreams: { a: { url: 'http://127.0.0.1/mcp', tools: { deny: ['x'], rename: { y: 'z' } } } },
        virtual: { desk: { tools: ['a/*'] } },
      },
      ['upstreams.a.tools.deny', 'upstreams.a.tools.rename', 'virtual.desk'],
    ],
    [
      'an upstream that follows no longer',
      { upstreams: { a: { url: 'http://127.0.0.1/mcp', dialect: 'onx' } } },
      ['upstreams.a.dialect'],
    ],
    ['the kind of an upstream', { upstreams: { a: { command: 'sh' } } }, ['upstreams.a']],
    ['the upstreams', { upstreams: { b: { command: 'sh' } } }, ['upstreams.a', 'upstreams.b']],
  ])('names %s', (_what, after, now) => {
    expect(changes(after)).toEqual({ now, restart: [] });
  });

  it('names no secret', () => {
    const keys = (key: string) => ({ keys: [{ name: 'x', key }] });
    expect(JSON.stringify(changes(keys('correct-horse'), keys('battery-staple')))).toBe(
      '{"now":["keys"],"restart":[]}',
    );
  });
});

it('tells upstreams apart by their URL', () => {
  const upstream = (url: string) => settings({ upstreams: { a: { url } } }).upstreams.get('a');
  const [one, same, other] = ['http://x/1', 'http://x/1', 'http://x/2'].map(upstream);
  if (one === undefined || same === undefined || other === undefined) throw new Error('no upstream');
  expect([isSameUpstream(one, same), isSameUpstream(one, other)]).toEqual([true, false]);
});
