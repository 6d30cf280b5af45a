import { expect, it } from 'vitest';
import { DIALECT_NAMES, translate } from './language.ts';

it('reads what is pasted, and says it in every dialect', () => {
  const read = translate(
    '{"jsonrpc":"2.0","id":7,"error":{"code":-32601,"message":"Method not found"}}',
    undefined,
  );
  expect(read?.reading.fault.kind).toBe('unsupported');
  expect(read?.said.map(({ dialect }) => dialect)).toEqual(DIALECT_NAMES);
  expect(read?.said.find(({ dialect }) => dialect === 'mayday')).toMatchObject({
    wire: { id: 7 },
    losses: [],
  });
});

it('reads prose, and is told which dialect it is', () => {
  expect(translate('429 Too Many Requests', undefined)?.reading.fault.kind).toBe('rate_limited');
  const said = '{"jsonrpc":"2.0","id":1,"error":{"code":-32002,"message":"x"}}';
  expect(translate(said, 'erlmcp')?.reading.fault).toMatchObject({
    kind: 'not_found',
    subject: { type: 'tool' },
  });
});

it.each(['{"jsonrpc":"2.0","id":1,"result":{"content":[]}}', '{}'])('finds no failure in %s', (text) => {
  expect(translate(text, undefined)).toBeUndefined();
});
