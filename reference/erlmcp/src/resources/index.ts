/** The resources of the server. */
import { raise } from '../errors.ts';
import { fetchPage } from '../mirror.ts';
import { reasonFor } from '../refusal.ts';
import type { Caller } from '../session.ts';
import { type Fixed, json, type Template } from './resource.ts';

/** Resources that are always there. */
export const FIXED: readonly Fixed[] = [
  {
    uri: 'config://server',
    name: 'Limits of this server',
    mimeType: 'application/json',
    read: ({ app }) => json(app.settings),
  },
  {
    uri: 'audit://logins',
    name: 'Who signed in when',
    mimeType: 'application/json',
    needs: { role: 'admin', permission: 'read:audit' },
    read: ({ app }) => json(app.store.users.logins()),
  },
];

/** Administrators see everybody's errors, others those of their session. */
function readerOf({ id, who }: Caller): string | undefined {
  return who.user.role === 'admin' ? undefined : id;
}

const DATE = /^\d{4}-\d{2}-\d{2}$/;

/** Resources with variables in their URI. */
export const TEMPLATES: readonly Template[] = [
  {
    uriTemplate: 'note://{name}',
    name: 'A note',
    read: ({ name = '' }, { app }) => app.store.notes.get(name),
    complete: (_variable, { app }) => app.store.notes.names(),
  },
  {
    uriTemplate: 'log://{date}',
    name: 'The errors of a day',
    read({ date = '' }, { app, caller }) {
      if (!DATE.test(date) || Number.isNaN(Date.parse(date)))
        throw raise('template_render_failed', {
          uri_template: 'log://{date}',
          reason: 'invalid_variable: date',
        });
      return { mimeType: 'text/plain', bytes: Buffer.from(app.journal.day(date, readerOf(caller))) };
    },
  },
  {
    uriTemplate: 'mirror://{path}',
    name: 'A page of the mirrored server',
    async read({ path = '' }, { app, controller: { signal } }) {
      return fetchPage(app, path, signal).catch((cause: unknown) => {
        throw raise('transport_error', { reason: reasonFor(cause) }, cause);
      });
    },
    async complete(_variable, { app, controller: { signal } }) {
      const index = await fetchPage(app, '', signal);
      return index === undefined ? [] : index.bytes.toString('utf8').split('\n');
    },
  },
];
