import { language } from '@mayday/core';
import { expect, it } from 'vitest';
import { dialectFor } from './dialects.ts';

/** The dialect of an answer, by what the header, the caller's key and the configuration say. */
function spoken(header: string | undefined, key: string | undefined, configured: string): string {
  const headers = header === undefined ? {} : { 'mayday-dialect': header };
  return dialectFor({ headers, by: { dialect: key } }, 'a', { language, of: () => configured }).id;
}

it.each([
  [undefined, undefined, 'mayday', 'mayday'],
  ['onx', undefined, 'mayday', 'onx'],
  ['qaqnuz', undefined, 'mayday', 'qaqnuz'],
  ['onx', 'erlmcp', 'mayday', 'onx'],
  [undefined, 'erlmcp', 'mayday', 'erlmcp'],
  // What the operator has closed, no header opens.
  ['mayday', undefined, 'qaqnuz', 'qaqnuz'],
  ['platica', undefined, 'qaqnuz', 'qaqnuz'],
  ['mayday', 'platica', 'mayday', 'platica'],
  // A key is the operator's word too.
  ['mayday', 'onx', 'qaqnuz', 'mayday'],
  [undefined, 'onx', 'qaqnuz', 'onx'],
])('header %s, key %s, configuration %s: %s', (header, key, configured, dialect) => {
  expect(spoken(header, key, configured)).toBe(dialect);
});
