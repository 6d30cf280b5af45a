/** All tools: the server's own, and those that clients defined. */
import { z } from 'zod';
import type { App } from '../app.ts';
import { linkAccount, summarizeNote } from './ask-client.ts';
import { calculate } from './calculate.ts';
import { addTool, deleteTool } from './define-tool.ts';
import { announce, deleteNote, importNote, saveNote } from './notes.ts';
import { type Tool, text } from './tool.ts';
import { wait } from './wait.ts';

const OWN: readonly Tool[] = [
  calculate,
  wait,
  saveNote,
  deleteNote,
  importNote,
  announce,
  addTool((name) => OWN.some((tool) => tool.name === name)),
  deleteTool,
  summarizeNote,
  linkAccount,
];

/** A tool by its name. */
export function findTool(app: App, name: string): Tool | undefined {
  const own = OWN.find((tool) => tool.name === name);
  if (own !== undefined) return own;
  const defined = app.store.tools.get(name);
  return defined === undefined ? undefined : fromDefinition(defined);
}

/** All tools, in a stable order. */
export function allTools(app: App): readonly Tool[] {
  const names = new Set(OWN.map((tool) => tool.name));
  const defined = app.store.tools.all().filter((tool) => !names.has(tool.name));
  return [...OWN, ...defined.map(fromDefinition)];
}

function fromDefinition(defined: { name: string; description: string; text: string }): Tool {
  return {
    name: defined.name,
    description: defined.description,
    inputSchema: z.strictObject({}),
    run: () => text(defined.text),
  };
}
