/** Notifications to the clients that asked for them. */
import type { App } from './app.ts';

/** Tells all subscribers of a resource that it changed, and how many there were. */
export function resourceUpdated(app: App, uri: string): number {
  const subscribers = [...app.sessions].filter((session) => session.subscriptions.has(uri));
  for (const { peer } of subscribers) peer.notify('notifications/resources/updated', { uri });
  return subscribers.length;
}

/** Tells every client that a list changed. */
export function listChanged(app: App, list: 'tools' | 'resources'): void {
  for (const { peer, phase } of app.sessions)
    if (phase === 'ready') peer.notify(`notifications/${list}/list_changed`, {});
}
