import { parse } from 'jsonc-parser';
import { expect, test } from 'vitest';
import { editJson } from './edit-json.ts';

const FILE = `{
  // our servers
  "servers": {
    "a": { "command": "node", "args": ["a.js"] },
    // "old": { "command": "npx" },
    // signs in by itself
    "b": { "url": "https://b.example/mcp", "oauth": {} }, // stays
    "c": { "command": "node" } // the last
    // end of servers
  },
  "inputs": [ /* none */ ]
}
`;

const CHANGES = [
  { path: ['servers', 'mayday'], value: { command: 'mayday', args: ['x'] } },
  { path: ['servers', 'a'], value: undefined },
  { path: ['servers', 'c'], value: undefined },
];

const EXPECTED = `{
  // our servers
  "servers": {
    // "old": { "command": "npx" },
    // signs in by itself
    "b": { "url": "https://b.example/mcp", "oauth": {} }, // stays
    // the last
    "mayday": {
      "command": "mayday",
      "args": [
        "x"
      ]
    }
    // end of servers
  },
  "inputs": [ /* none */ ]
}
`;

test('comments stay, and so does what is written of others', () => {
  expect(editJson(FILE, CHANGES)).toBe(EXPECTED);
  const windows = (text: string): string => text.replaceAll('\n', '\r\n');
  expect(editJson(windows(FILE), CHANGES)).toBe(windows(EXPECTED));
});

test('a file of one line stays one', () => {
  expect(editJson('{"n":1,"servers":{"a":{"command":"x"},"b":{}},"z":[1, 2]}', CHANGES.slice(0, 2))).toBe(
    '{"n":1,"servers":{"b":{},"mayday":{"command":"mayday","args":["x"]}},"z":[1, 2]}',
  );
});

test('an entry on one line stays on it', () => {
  const disabled = [{ path: ['servers', 'c', 'disabled'], value: true }];
  expect(editJson(FILE, disabled)).toBe(
    FILE.replace('"c": { "command": "node" }', '"c": { "command": "node", "disabled": true }'),
  );
});

test.each([
  ['{ "servers": { "a": {} } }', { mayday: 1 }],
  ['{\n  "servers": { "a": {}, "c": {} }\n}', { mayday: 1 }],
  ['{\n\t"servers": {\n\t\t"a": {},\n\t\t"c": {}, // x\n\t},\n}', { mayday: 1 }],
  ['{ "servers": {\n "a": {} /* x */ , /* y */ "b": 2 , "c": 3 /* , */ }}', { b: 2, mayday: 1 }],
  ['{ "servers": {\n "c": 1 // ,\n , "a": 2\n}}', { mayday: 1 }],
])('%j says what it should', (text, expected) => {
  const edited = editJson(text, [
    { path: ['servers', 'mayday'], value: 1 },
    { path: ['servers', 'a'], value: undefined },
    { path: ['servers', 'c'], value: undefined },
  ]);
  const errors: [] = [];
  expect(parse(edited, errors, { allowTrailingComma: true })).toEqual({ servers: expected });
  expect(errors).toEqual([]);
  const comments = (said: string): string[] => said.match(/\/\/ \w|\/\*.*?\*\//g) ?? [];
  expect(comments(edited)).toEqual(comments(text));
});
