import { z } from 'zod';
import { raise } from '../errors.ts';
import { requireRole } from '../methods/auth.ts';
import { listChanged } from '../notify.ts';
import { defineTool, type Tool, text } from './tool.ts';

const NAME = z.string().regex(/^[a-z][a-z0-9_]{0,63}$/, 'must be 1 to 64 of a-z, 0-9 and _');

const TAKEN = 'name: is taken by another tool';

/** Adds a tool that answers with a text. `isOwn` knows the names of the server's own, which nobody can have. */
export const addTool = (isOwn: (name: string) => boolean): Tool =>
  defineTool({
    name: 'define_tool',
    description:
      'Defines a tool that answers with a text. Its description is limited in length. For members.',
    inputSchema: z.strictObject({ name: NAME, description: z.string(), text: z.string() }),
    run(tool, { app, caller }) {
      // Characters, not UTF-16 units: an emoji counts once.
      const length = [...tool.description].length;
      const { maxDescriptionLength } = app.settings;
      if (length > maxDescriptionLength)
        throw raise('tool_description_too_long', { actual_length: length, max_length: maxDescriptionLength });
      requireRole(caller, 'member', 'tools/call:define_tool');
      const before = app.store.tools.get(tool.name);
      // Who defines the same again has lost an answer; who defines another would take a tool from somebody.
      const isSame = before?.description === tool.description && before.text === tool.text;
      if (isOwn(tool.name) || (before !== undefined && !isSame))
        throw raise('invalid_tool_arguments', { tool: 'define_tool', details: TAKEN });
      app.store.tools.save(tool);
      if (before === undefined) listChanged(app, 'tools');
      return text(`Defined ${tool.name}`);
    },
  });

/** Removes a tool that was added. */
export const deleteTool = defineTool({
  name: 'delete_tool',
  description: 'Deletes a tool that was defined. For administrators.',
  role: 'admin',
  inputSchema: z.strictObject({ name: NAME }),
  run({ name }, { app }) {
    if (!app.store.tools.delete(name)) throw raise('tool_not_found', { tool: name });
    listChanged(app, 'tools');
    return text(`Deleted ${name}`);
  },
});
