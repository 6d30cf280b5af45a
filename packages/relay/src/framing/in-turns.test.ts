import { expect, it } from 'vitest';
import { decodeInTurns } from './in-turns.ts';

const tool = (index: number): object => ({
  name: `tool ${index} "]}`,
  description: 'ä, [x'.repeat(20),
  inputSchema: { type: 'object', properties: { a: { enum: [1, -0.5, null, true, []] } } },
});
const tools = Array.from({ length: 5000 }, (_, index) => tool(index));
const whole = JSON.stringify(tools);

it.each([
  ['a list', `{"jsonrpc":"2.0","id":1,"result":{"_meta":{"tools":[1]},"tools":${whole},"nextCursor":"x"}}`],
  ['blanks', ` { "id" : [ "}" ] , "result" : { "tools" : ${JSON.stringify(tools, null, 2)} } } `],
  ['a result that comes first', `{"result":{"tools":${whole}},"id":7}`],
  ['another list under the same name, which counts', `{"id":1,"result":{"tools":${whole},"tools":[1]}}`],
  ['another result, which counts', `{"id":1,"result":{"tools":${whole}},"result":{"tools":[2]}}`],
  ['no list', `{"id":1,"result":{"tools":{"a":${whole}}}}`],
  ['another list', `{"id":1,"result":{"prompts":${whole}}}`],
  ['no result', `{"id":1,"error":{"code":1,"message":"x","data":${whole}}}`],
  ['a name in escapes', `{"id":1,"result":{"\\u0074ools":${whole}}}`],
  ['no object', whole],
])('gives what JSON.parse gives: %s', async (_what, text) => {
  expect(await decodeInTurns(Buffer.from(text), 'tools')).toEqual(JSON.parse(text));
});

it.each([
  ['cut off', `{"id":1,"result":{"tools":${whole}`],
  ['cut off in the list', `{"id":1,"result":{"tools":${whole.slice(0, -2)}`],
  [
    'without a comma',
    `{"id":1,"result":{"tools":${whole.replace('},{"name":"tool 4000', '} {"name":"tool 4000')}}}`,
  ],
  ['with a comma too many', `{"id":1,"result":{"tools":${whole.slice(0, -1)},]}}`],
  ['with something that is no JSON', `{"id":1,"result":{"tools":${whole.replace('-0.5', '-00.5')}}}`],
  ['with a closing bracket of the wrong kind', `{"id":1,"result":{"tools":${whole.slice(0, -1)}}}}`],
])('gives nothing of what is no JSON: %s', async (_what, text) => {
  expect(() => JSON.parse(text)).toThrow();
  expect(await decodeInTurns(Buffer.from(text), 'tools')).toBeUndefined();
});

it('lets others have their turn', async () => {
  let turns = 0;
  const ticking = setInterval(() => turns++, 0);
  await decodeInTurns(
    Buffer.from(`{"id":1,"result":{"tools":[${whole.slice(1, -1)},${whole.slice(1)}}}`),
    'tools',
  );
  clearInterval(ticking);
  expect(turns).toBeGreaterThan(3);
});
