import { z } from 'zod';
import { checkContent } from '../content.ts';
import { raise } from '../errors.ts';
import { requireRole } from '../methods/auth.ts';
import { fetchPage } from '../mirror.ts';
import { listChanged, resourceUpdated } from '../notify.ts';
import { Reason } from '../refusal.ts';
import { ownerOf } from '../session.ts';
import { defineTool, type ToolContext, text } from './tool.ts';

const NAME = z.string().regex(/^[\w-]{1,64}$/, 'must be 1 to 64 letters, digits, dashes or underscores');

/** Guests change what they have saved themselves; what others saved is for members. */
function requireMayChange(name: string, { app, caller }: ToolContext, tool: string): void {
  const { notes } = app.store;
  if (notes.get(name) !== undefined && notes.authorOf(name) !== ownerOf(caller))
    requireRole(caller, 'member', `tools/call:${tool}`);
}

/** Keeps a note. */
export const saveNote = defineTool({
  name: 'save_note',
  description: 'Saves note://{name}. Give its text, or its bytes in base64. That of another is for members.',
  inputSchema: z
    .strictObject({
      name: NAME,
      text: z.string().optional(),
      blob: z.base64().optional(),
      mimeType: z.string().default('text/plain'),
    })
    .refine(({ text, blob }) => (text === undefined) !== (blob === undefined), 'give either text or blob'),
  run({ name, text: words = '', blob, mimeType }, context) {
    const { app, caller } = context;
    requireMayChange(name, context, 'save_note');
    const bytes = blob === undefined ? Buffer.from(words) : Buffer.from(blob, 'base64');
    checkContent(mimeType, bytes, app.settings.maxContentBytes);
    const isNew = app.store.notes.get(name) === undefined;
    app.store.notes.save({ name, mimeType, bytes }, ownerOf(caller));
    if (isNew) listChanged(app, 'resources');
    else resourceUpdated(app, `note://${name}`);
    return text(`Saved note://${name}`);
  },
});

/** Takes a note away. */
export const deleteNote = defineTool({
  name: 'delete_note',
  description: 'Deletes a note. That of another is for members.',
  inputSchema: z.strictObject({ name: NAME }),
  run({ name }, context) {
    const { app } = context;
    requireMayChange(name, context, 'delete_note');
    if (!app.store.notes.delete(name)) throw raise('resource_not_found', { uri: `note://${name}` });
    listChanged(app, 'resources');
    return text(`Deleted note://${name}`);
  },
});

/** Fetches a note from the mirrored server. */
export const importNote = defineTool({
  name: 'import_note',
  description: 'Fetches a page of the mirrored server and saves it as a note. For members.',
  role: 'member',
  inputSchema: z.strictObject({ name: NAME, path: z.string() }),
  async run({ name, path }, { app, caller, signal }) {
    const page = await fetchPage(app, path, signal);
    if (page === undefined) throw new Reason('page_not_found');
    checkContent(page.mimeType, page.bytes, app.settings.maxContentBytes);
    app.store.notes.save({ name, ...page }, ownerOf(caller));
    return text(`Saved note://${name}`);
  },
});

/** Tells subscribers to look again. */
export const announce = defineTool({
  name: 'announce',
  description: 'Tells all subscribers of a resource that it has changed.',
  inputSchema: z.strictObject({ uri: z.string() }),
  run({ uri }, { app }) {
    const told = resourceUpdated(app, uri);
    if (told === 0)
      throw raise('notification_failed', {
        notification_type: 'resources/updated',
        reason: 'subscriber_not_found',
      });
    return text(`Told ${told}`);
  },
});
