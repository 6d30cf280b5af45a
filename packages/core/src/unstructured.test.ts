/** Words that are said again and again. */
import { expect, it } from 'vitest';
import { toolError } from '../test/helpers.ts';
import { read } from './index.ts';

it('whatever somebody does to a reading, the same words are read the same the next time', () => {
  const wire = toolError('Unknown tool: pay');
  const changed = read(wire) as unknown as {
    fault: { subject: { id: string } };
    evidence: { says: string }[];
  };
  changed.fault.subject.id = 'of somebody';
  for (const one of changed.evidence) one.says = 'nothing';
  const again = read(wire);
  expect(again).toMatchObject({ fault: { kind: 'not_found', subject: { type: 'tool', id: 'pay' } } });
  expect(JSON.stringify(again)).not.toContain('nothing');
});

it('the same words beside a number are read with it, whatever they were read as alone', () => {
  const words = 'The thing is not there';
  const alone = read(toolError(words));
  const beside = read({ jsonrpc: '2.0', id: 1, error: { code: -32601, message: words } });
  expect(beside).toMatchObject({ fault: { kind: 'unsupported' } });
  expect(read(toolError(words))).toEqual(alone);
  expect(alone).not.toMatchObject({ fault: { kind: 'unsupported' } });
});
