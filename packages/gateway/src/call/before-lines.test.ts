import { makeFault, write } from '@mayday/core';
import type { JsonRpcWire } from '@mayday/core/dialects';
import { expect, it } from 'vitest';
import { beforeLines } from './before-lines.ts';

const ADVICE = 'Correct the arguments, then call again.';

it.each([
  ['Invalid arguments for get-sum: a\nInvalid input: b', 'Invalid arguments for get-sum: a.'],
  ['MCP error -32602: No such thing here\nTry x', 'No such thing here.'],
  ['Could not find exact match for:\nzzz', 'Could not find exact match for.'],
  ['Error:\nUnknown city Atlantis', 'Error: Unknown city Atlantis.'],
  ['One line of words', 'One line of words.'],
])('of %j that stands whole behind it, the first line is said', (theirs, told) => {
  const message = theirs.replace(/^MCP error -\d+: /, '');
  const fault = makeFault({ kind: 'invalid_arguments', message });
  const said = write(fault, 'mayday', { id: 1, method: 'tools/call' }).wire as JsonRpcWire;
  const ours = said.result?.['content'] as unknown as object[];
  const both = { ...said, result: { ...said.result, content: [...ours, { type: 'text', text: theirs }] } };
  expect(beforeLines(both as never, fault).result?.['content']).toEqual([
    { type: 'text', text: `${told} ${ADVICE}` },
    { type: 'text', text: theirs },
  ]);
  expect(beforeLines(said, fault)).toBe(said);
});
