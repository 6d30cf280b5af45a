import { expect, it } from 'vitest';
import { peek } from '../framing/peek.ts';
import { checkEnvelope, contradicted, envelopeHeaders, mistypedEnvelope, nameIn } from './envelope.ts';

const META =
  '"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}';
const HEADERS = {
  'mcp-protocol-version': '2026-07-28',
  'mcp-method': 'tools/call',
  'mcp-name': 'grep',
};
const message = (text: string) => ({ body: Buffer.from(text), peek: peek(Buffer.from(text)) });
const CALL = message(`{"id":1,"method":"tools/call","params":{"name":"grep",${META}}}`);

it('finds nothing wrong with what belongs together', () => {
  expect(checkEnvelope(HEADERS, CALL)).toBeUndefined();
});

it.each([
  [{ ...HEADERS, 'mcp-name': 'other' }, 'The header Mcp-Name does not match the body'],
  [{ ...HEADERS, 'mcp-name': undefined }, 'The header Mcp-Name is missing'],
  [{ ...HEADERS, 'mcp-method': 'tools/list' }, 'The header Mcp-Method does not match the body'],
  [
    { ...HEADERS, 'mcp-protocol-version': '2027-01-01' },
    'The header MCP-Protocol-Version does not match the body',
  ],
])('says what is wrong with %j', (headers, said) => {
  expect(checkEnvelope(headers, CALL)?.message).toBe(said);
});

it.each([
  '{"id":1,"method":"tools/call","params":{"name":"grep"}}',
  '{"id":1,"method":"tools/call","params":{"name":"grep","_meta":7}}',
  '{"id":1,"method":"tools/call","params":[]}',
  '{"id":1,"method":"tools/call","params":null}',
  '{"id":1,"method":"tools/call"}',
])('says that %s lacks its envelope', (text) => {
  expect(checkEnvelope(HEADERS, message(text))).toMatchObject({
    kind: 'invalid_arguments',
    message: 'The request lacks _meta["io.modelcontextprotocol/protocolVersion"]',
  });
});

it.each(['{bad}', '{"id":1,"method":"x","params":{bad}}', '{"id":1,"result":{}}'])(
  'has nothing to say about %s',
  (text) => {
    expect(checkEnvelope({}, message(text))).toBeUndefined();
  },
);

it('wants less of a notification: what its headers say must be right, but they need not say it', () => {
  const cancelled = message('{"method":"notifications/cancelled"}');
  expect(checkEnvelope({ 'mcp-method': 'notifications/cancelled' }, cancelled)).toBeUndefined();
  expect(checkEnvelope({ 'mcp-protocol-version': '2026-07-28' }, cancelled)).toBeUndefined();
  expect(checkEnvelope({ 'mcp-method': 'tools/call' }, cancelled)?.message).toBe(
    'The header Mcp-Method does not match the body',
  );
});

it('finds headers that contradict, and misses none that are not there', () => {
  const call = message('{"id":1,"method":"tools/call","params":{"name":"grep"}}');
  expect(contradicted({}, call)).toBeUndefined();
  expect(
    contradicted({ 'mcp-method': 'tools/call', 'mcp-name': '=?base64?Z3JlcA==?=' }, call),
  ).toBeUndefined();
  expect(contradicted({ 'mcp-name': 'other' }, call)?.message).toBe(
    'The header Mcp-Name does not match the body',
  );
  expect(contradicted({ 'mcp-method': 'ping' }, call)?.kind).toBe('invalid_request');
  expect(contradicted({ 'mcp-method': 'ping' }, message('{"id":1,"result":{}}'))).toBeUndefined();
});

it('writes the headers of a message so that they can be sent', () => {
  const text = `{"id":1,"method":"resources/read","params":{"uri":"file:///ü\\r\\nx: y",${META}}}`;
  expect(envelopeHeaders(message(text))).toEqual({
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': 'resources/read',
    'mcp-name': '=?base64?ZmlsZTovLy/DvA0KeDogeQ==?=',
  });
  expect(envelopeHeaders(message('{"id":1,"method":"a\\r\\nb"}'))).toEqual({
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': '=?base64?YQ0KYg==?=',
  });
});

it.each([
  ['{"id":1,"method":"tools/call","params":{"name":"a"}}', 'a'],
  ['{"id":1,"method":"tools/call","params":{"arguments":{"name":"b"},"name":"a"}}', 'a'],
  ['{"id":1,"method":"tools/call","params":{"_meta":{"clientInfo":{"name":"c"}},"name":"a"}}', 'a'],
  ['{"id":1,"method":"tools/call","params":{"name":{"toString":1}}}', undefined],
  ['{"id":1,"method":"resources/read","params":{"uri":"u","name":"a"}}', 'u'],
  ['{"id":1,"method":"constructor","params":{"name":"a"}}', undefined],
])('knows what %s is about', (text, name) => {
  const { body, peek: seen } = message(text);
  expect(nameIn(body, seen)).toBe(name);
});

it.each([
  ['io.modelcontextprotocol/protocolVersion', [7, null, {}, ['2026-07-28'], true], 'must be a string'],
  ['io.modelcontextprotocol/clientCapabilities', [7, null, 'x', []], 'must be an object'],
])('%s of another type is refused, by its path', (key, values, message) => {
  for (const value of values) {
    const fault = mistypedEnvelope({ [key]: value });
    expect(fault).toMatchObject({ kind: 'invalid_arguments', origin: 'caller', executed: 'no' });
    expect(fault?.issues).toEqual([{ path: ['params', '_meta', key], message, code: 'invalid_type' }]);
  }
});

it('what is of its type, or absent, is not', () => {
  const version = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' };
  const capabilities = { 'io.modelcontextprotocol/clientCapabilities': {} };
  expect(mistypedEnvelope({ ...version, ...capabilities })).toBeUndefined();
  expect(mistypedEnvelope({})).toBeUndefined();
});
