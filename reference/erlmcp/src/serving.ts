/** The server on each transport of the kit's. */
import type { Readable, Writable } from 'node:stream';
import { createSessions, type Lines, type Sessions, serveLines } from '@mayday/server/rpc';
import type { App } from './app.ts';
import { connect } from './connection.ts';
import { refusal } from './refusal.ts';

/** One client on standard streams. The session has a fixed name: its tasks are there again after a restart. */
export function onLines(app: App, stdin: Readable, stdout: Writable): Lines {
  return serveLines({
    stdin,
    stdout,
    maxLineBytes: app.settings.maxMessageBytes,
    open: (send) => connect(app, 'stdio', send),
    refuse: ({ thrown, id }) => refusal(app, thrown, id),
  });
}

/** Any number of clients over HTTP. */
export function overHttp(app: App): Sessions {
  const { sessions, news } = app.store;
  return createSessions({
    maxBodyBytes: app.settings.maxMessageBytes,
    // Whoever has not signed in cannot be told from others, and must not become somebody else by a new session.
    open: (id, send) => ({
      ...connect(app, id, send, { guests: 'guests over HTTP', facts: sessions.facts(id) }),
      ...sessions.streamOf(id),
    }),
    kept: sessions,
    others: news,
    refuse: ({ thrown, id }) => refusal(app, thrown, id),
  });
}
