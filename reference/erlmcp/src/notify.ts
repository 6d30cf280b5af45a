/** Notifications to the clients that asked for them. */
import type { App } from './app.ts';

/** Tells all subscribers of a resource that it changed, and how many of them heard it. */
export function resourceUpdated(app: App, uri: string): number {
  const subscribers = [...app.sessions].filter((session) => session.subscriptions.has(uri));
  return subscribers.filter(({ client }) => client.notify('notifications/resources/updated', { uri })).length;
}

/** Tells every client that a list changed. */
export function listChanged(app: App, list: 'tools' | 'resources'): void {
  for (const { client, phase } of app.sessions)
    if (phase === 'ready') client.notify(`notifications/${list}/list_changed`, {});
}
