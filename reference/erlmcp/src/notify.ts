/** Notifications to the clients that asked for them, in whatever process on the folder. */
import type { App } from './app.ts';
import { subscriptionTo } from './session.ts';

/** What changed: a resource, or a list. */
interface Change {
  readonly updated?: string;
  readonly list?: 'tools' | 'resources';
}

/** Tells all subscribers of a resource that it changed, and how many of them hear it. */
export function resourceUpdated(app: App, uri: string): number {
  app.store.news.tell({ updated: uri });
  return tellHere(app, { updated: uri }) + app.store.sessions.listeningElsewhere(subscriptionTo(uri));
}

/** Tells every client that a list changed. */
export function listChanged(app: App, list: 'tools' | 'resources'): void {
  app.store.news.tell({ list });
  tellHere(app, { list });
}

/** Tells the clients of this process, and how many of them heard it. */
export function tellHere({ sessions }: App, { updated, list }: Change): number {
  const heard = [...sessions].filter(({ client, phase, subscriptions }) => {
    if (updated !== undefined && subscriptions.has(updated))
      return client.notify('notifications/resources/updated', { uri: updated });
    return list !== undefined && phase === 'ready' && client.notify(`notifications/${list}/list_changed`, {});
  });
  return heard.length;
}
