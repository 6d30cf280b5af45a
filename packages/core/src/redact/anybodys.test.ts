/** Values that anybody may have sent: a database repeats them, and they tell what went wrong, and of nobody anything. */
import { describe, expect, test } from 'vitest';
import { redact } from './index.ts';

describe('a value that anybody may have sent', () => {
  test.each([
    'invalid input syntax for type uuid: "example"',
    'invalid input syntax for type uuid: "undefined"',
    'invalid input syntax for type integer: "NaN"',
    'invalid input syntax for type uuid: "[object Object]"',
    'ungültige Eingabesyntax für Typ uuid: »current«',
    'For input string: "null"',
    'invalid input value for enum mood: "unknown"',
    "Cannot cast 'abc' to INT",
    'could not parse "latest" as type int',
    "Incorrect integer value: 'none' for column 'age' at row 1",
    "Duplicate entry 'default' for key 'name'",
    'GraphQL failed: query { room(name: "test") { id } }',
    '{"query":"query q($query: String!) { run(query: $query) }","variables":{"query":"SELECT 1"}}',
  ])('stays: %s', (text) => {
    expect(redact(text)).toEqual({ value: text, findings: [] });
  });

  test.each([
    'invalid input syntax for type uuid: "max"',
    'invalid input syntax for type uuid: "quill"',
    'invalid input syntax for type uuid: "example of Quill"',
    'For input string: "Will"',
    '{"query":"query q($query: String!) { run(query: $query) }","variables":{"query":"SELECT 4817"}}',
    'GraphQL failed: query { room(name: "tester") { id } }',
  ])('goes as any other: %s', (text) => {
    expect(redact(text).value).toContain('[sql:1]');
  });
});
