/** What is said about tools, and cannot be meant as it is written. */
import { expect, it } from 'vitest';
import type { SettingsProblem } from './problems.ts';
import { readSettings } from './read-settings.ts';

const told = ({ line, path, message }: SettingsProblem): string => `${line} ${path}: ${message}`;

function problemsOf(text: string): readonly string[] {
  try {
    readSettings(text);
    return [];
  } catch (error) {
    return (error as { problems: readonly SettingsProblem[] }).problems.map(told);
  }
}

const withTools = (tools: string): string => `upstreams:
  files:
    url: http://127.0.0.1:1/mcp
    tools: ${tools}`;

const withDesk = (desk: string): string => `virtual:
  desk: ${desk}
upstreams: { files: { url: "http://127.0.0.1:1/mcp" } }`;

it.each([
  ['{ alow: [x] }', ['4 upstreams.files.tools.alow: Unknown setting; did you mean allow?']],
  ['{ allow: [] }', ['4 upstreams.files.tools.allow: Expected at least one pattern']],
  [
    "{ allow: [a, ''], deny: [''] }",
    [
      '4 upstreams.files.tools.allow.1: Expected a pattern; an empty one fits nothing',
      '4 upstreams.files.tools.deny.0: Expected a pattern; an empty one fits nothing',
    ],
  ],
  ['{ allow: x }', ['4 upstreams.files.tools.allow: Expected a list of texts']],
  [
    '{ rename: { a: "b c" } }',
    [
      '4 upstreams.files.tools.rename.a: Expected a name of at most 64 letters, digits, underscores and hyphens',
    ],
  ],
  ['{ rename: [a] }', ['4 upstreams.files.tools.rename: Expected names with a text each']],
  [
    '{ rename: { a: x, b: x } }',
    ['4 upstreams.files.tools.rename.b: a has this name already; names tell tools apart'],
  ],
  ['{ discovery: lasy }', ['4 upstreams.files.tools.discovery: Unknown value; did you mean lazy?']],
  ['{ deny: [x], rename: { "a.b": c }, descriptions: { "a.b": "" }, discovery: lazy }', []],
])('upstreams are told about tools: %s', (tools, said) => {
  expect(problemsOf(withTools(tools))).toEqual(said);
});

it.each([
  ['{}', ['2 virtual.desk: tools is missing']],
  ['', ['2 virtual.desk: tools is missing']],
  ['{ tools: [] }', ['2 virtual.desk.tools: Expected at least one pattern']],
  ['{ tools: [files/x], prompts: [] }', expect.arrayContaining([expect.stringContaining('Unknown setting')])],
  [
    '{ tools: [files/x], rename: { x: y } }',
    ['2 virtual.desk.rename.x: Expected a tool; tools are named upstream/name here'],
  ],
  [
    '{ tools: [files/x], descriptions: { fils/x: y } }',
    ['2 virtual.desk.descriptions.fils/x: Expected a tool; there is no such upstream; did you mean files/x?'],
  ],
  [
    '{ tools: [files/x], rename: { files/x: y, files/z: y } }',
    ['2 virtual.desk.rename.files/z: files/x has this name already; names tell tools apart'],
  ],
  ['{ tools: ["files/*"], rename: { files/x: y }, separator: "", instructions: hello }', []],
])('virtual servers are told about: %s', (desk, said) => {
  expect(problemsOf(withDesk(desk))).toEqual(said);
});

it('tells of names that an upstream has, or that no address can have', () => {
  const upstreams = 'upstreams: { files: { url: "http://127.0.0.1:1/mcp" } }';
  expect(
    problemsOf(`virtual: { files: { tools: [files/x] }, Desk: { tools: [files/x] } }\n${upstreams}`),
  ).toEqual([
    '1 virtual.Desk: Expected a name of at most 32 lower-case letters, digits and hyphens',
    '1 virtual.files: An upstream has this name; each is served at an address of its own',
  ]);
  expect(problemsOf(`virtual: [x]\n${upstreams}`)).toEqual([
    '1 virtual: Expected virtual servers with their names',
  ]);
});

it('warns of patterns that fit nothing', () => {
  const { warnings } = readSettings(withDesk('{ tools: [files/x, fils/*], deny: [write_*] }'));
  expect(warnings.map(told)).toEqual([
    '2 virtual.desk.tools.1: It fits nothing; did you mean files/*?',
    '2 virtual.desk.deny.0: It fits nothing; patterns are of the form upstream/name, such as */write_*',
  ]);
});

it('lets keys name virtual servers', () => {
  const keys = (name: string): string => `keys: [{ name: ann, key: ann-secret, upstreams: [${name}] }]`;
  expect(problemsOf(`${keys('desk')}\n${withDesk('{ tools: [files/x] }')}`)).toEqual([]);
  expect(problemsOf(`${keys('dask')}\n${withDesk('{ tools: [files/x] }')}`)).toEqual([
    '1 keys.0.upstreams.0: There is no such upstream; did you mean desk?',
  ]);
});
