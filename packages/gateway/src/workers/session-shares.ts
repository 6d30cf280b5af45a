/** The places for sessions protect the machine, which workers share: each has its part of them. */
import type { Settings, UpstreamSettings } from '../settings/settings.ts';

/** The settings as one of so many workers has them. */
export function withShares(settings: Settings, workers: number): Settings {
  const share = (max: number): number => Math.ceil(max / workers);
  const shared = ([name, upstream]: [string, UpstreamSettings]): [string, UpstreamSettings] => {
    if (upstream.type === 'url') return [name, upstream];
    const { sessions } = upstream;
    return [name, { ...upstream, sessions: { ...sessions, max: share(sessions.max) } } as UpstreamSettings];
  };
  return {
    ...settings,
    sessions: { ...settings.sessions, max: share(settings.sessions.max) },
    upstreams: new Map([...settings.upstreams].map(shared)),
  };
}
