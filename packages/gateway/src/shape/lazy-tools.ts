/** What is listed where discovery is lazy: three tools in place of all. */
import type { JsonObject } from '@mayday/core';

/** The names of the three. */
export const SEARCH = 'search_tools';
export const DESCRIBE = 'describe_tools';
export const CALL = 'call_tool';

/** How many tools a search gives. */
export const DEFAULT_FOUND = 10;
export const MAX_FOUND = 50;
/** How many tools are described at a time. */
export const MAX_DESCRIBED = 20;

/** The three, as they are listed. */
export const LAZY_TOOLS: readonly JsonObject[] = [
  {
    name: SEARCH,
    description: `Finds tools by words and gives their names and what they do. Without a query it gives the first of all tools. Then ask ${DESCRIBE} for their arguments, and call them with ${CALL}.`,
    inputSchema: {
      type: 'object',
      properties: {
        query: { type: 'string', description: 'Words about what is to be done' },
        limit: {
          type: 'integer',
          minimum: 1,
          maximum: MAX_FOUND,
          default: DEFAULT_FOUND,
          description: 'How many tools to give',
        },
      },
    },
    annotations: { readOnlyHint: true, openWorldHint: false },
  },
  {
    name: DESCRIBE,
    description: `Gives the whole definitions of tools, with the schemas of their arguments, by the names that ${SEARCH} gave.`,
    inputSchema: {
      type: 'object',
      properties: {
        names: {
          type: 'array',
          items: { type: 'string' },
          minItems: 1,
          maxItems: MAX_DESCRIBED,
          description: 'Names of tools',
        },
      },
      required: ['names'],
    },
    annotations: { readOnlyHint: true, openWorldHint: false },
  },
  {
    name: CALL,
    description: `Calls a tool by its name, with arguments as ${DESCRIBE} told them, and gives its answer.`,
    inputSchema: {
      type: 'object',
      properties: {
        name: { type: 'string', description: 'The name of the tool' },
        arguments: { type: 'object', description: 'Its arguments' },
      },
      required: ['name'],
    },
  },
];
