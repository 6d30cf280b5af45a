import { z } from 'zod';
import { raise } from '../errors.ts';
import { listChanged } from '../notify.ts';
import { defineTool, text } from './tool.ts';

const NAME = z.string().regex(/^[a-z][a-z0-9_]{0,63}$/, 'must be 1 to 64 of a-z, 0-9 and _');

/** Adds a tool that answers with a text. */
export const addTool = defineTool({
  name: 'define_tool',
  description: 'Defines a tool that answers with a text. Descriptions are limited in length.',
  inputSchema: z.strictObject({ name: NAME, description: z.string(), text: z.string() }),
  run(tool, { app }) {
    // Characters, not UTF-16 units: an emoji counts once.
    const length = [...tool.description].length;
    const { maxDescriptionLength } = app.settings;
    if (length > maxDescriptionLength)
      throw raise('tool_description_too_long', { actual_length: length, max_length: maxDescriptionLength });
    app.store.tools.save(tool);
    listChanged(app, 'tools');
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
