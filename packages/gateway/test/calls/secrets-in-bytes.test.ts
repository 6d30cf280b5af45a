/** The bytes of a failing result's blocks lose their secrets, in whatever encoding, for the caller and for the operator. */
import { afterEach, expect, it } from 'vitest';
import { callTool, cleanUp, json, open, post, upstream } from '../tools.ts';

afterEach(cleanUp);

const TOKEN = 'ghp_aB3dE5gH7jK9mN1pQ3rS5tU7vW9xY1zA2bC4';

/** A gateway before a server that answers with this. */
async function answering(said: object, upstreamMore: object = {}) {
  const { url } = await upstream((body, response) => {
    const { id } = JSON.parse(body) as { id: number };
    json(response, 200, { jsonrpc: '2.0', id, ...('error' in said ? said : { result: said }) });
  });
  const gateway = await open({ upstreams: { u: { url, ...upstreamMore } } });
  const { text } = await post(`${gateway.url}/u/mcp`, callTool('t', {}));
  const faults = await (await fetch(`${gateway.url}/-/faults?limit=1000`)).text();
  return { text, faults };
}

/** All that somebody reads who takes every base64 in it apart. */
function readings(text: string): string {
  const held = [...text.matchAll(/[A-Za-z0-9+/]{24,}={0,2}/g)].map(([found]) => Buffer.from(found, 'base64'));
  const read = held.flatMap((one) => [one.toString('latin1'), one.toString('latin1').replaceAll('\0', '')]);
  return [text, ...read].join('\n');
}

const latin = (text: string): Buffer => Buffer.from(text, 'latin1');

it.each([
  ['a text', latin(`token ${TOKEN}`), 'text/plain'],
  ['a zero before', latin(`\0token ${TOKEN}`), 'text/plain'],
  ['a zero before, in bytes', latin(`\0token ${TOKEN}`), 'application/octet-stream'],
  ['another control', latin(`\x01token ${TOKEN}`), 'text/plain'],
  ['colours of a terminal', latin(`\x1b[31mtoken ${TOKEN}\x1b[0m`), 'text/plain'],
  ['Latin 1, declared', latin(`Schl\xfcssel token ${TOKEN}`), 'text/plain; charset=iso-8859-1'],
  ['Latin 1', latin(`Schl\xfcssel token ${TOKEN}`), 'application/octet-stream'],
  ['UTF-16', Buffer.from(`\ufefftoken ${TOKEN}`, 'utf16le'), 'text/plain'],
  ['what only begins as UTF-16 does', latin(`\xff\xfetoken ${TOKEN}`), 'application/octet-stream'],
  ['UTF-16, declared', Buffer.from(`token ${TOKEN}`, 'utf16le'), 'text/plain; charset=utf-16le'],
  ['Shift JIS', latin(`\x83\x67 token ${TOKEN}`), 'text/plain; charset=shift_jis'],
  ['a bad byte', latin(`line 1 caf\xe9\ntoken ${TOKEN}\n`), 'text/plain'],
  ['memory', latin(`\x7fELF\x02\x01\x01\0token ${TOKEN}\0\xfe\xff`), 'application/octet-stream'],
])('%s', async (_what, held, mimeType) => {
  const data = held.toString('base64');
  const { text, faults } = await answering({
    isError: true,
    content: [
      { type: 'text', text: 'Order 7 not found' },
      { type: 'resource', resource: { uri: 'file:///x', mimeType, blob: data } },
      { type: 'image', mimeType: 'image/png', data },
    ],
  });
  expect(text).toContain('Order 7 not found');
  expect(text).toContain('file:///x');
  expect(readings(text)).not.toContain(TOKEN);
  expect(readings(faults)).not.toContain(TOKEN);
});

it('those in the data of an error, too', async () => {
  const block = { type: 'image', mimeType: 'image/png', data: latin(`\0token ${TOKEN}`).toString('base64') };
  for (const data of [block, { content: [block] }]) {
    const { text, faults } = await answering({ error: { code: -32050, message: 'It failed', data } });
    expect(readings(text)).not.toContain(TOKEN);
    expect(readings(faults)).not.toContain(TOKEN);
    expect(text).toContain('image/png');
  }
});

const GIVEN = 'p\xe4ss-horse-battery-9921';
const wide = (text: string): Buffer => Buffer.from(text, 'utf16le');
const behind = (...first: number[]): Buffer => Buffer.from(first);
const LOG = `first line\nconnecting with ${GIVEN} to db\n`;

it.each([
  ['UTF-8', Buffer.from(LOG)],
  ['Latin 1', latin(LOG)],
  ['UTF-16', wide(`\ufeff${LOG}`)],
  ['UTF-16, the other way round', wide(`\ufeff${LOG}`).swap16()],
  ['UTF-16 without its mark', wide(LOG)],
  ['UTF-16 without it, the other way round', wide(LOG).swap16()],
])('what the settings give goes from a text in %s, which stays one', async (_what, held) => {
  const resource = { uri: 'file:///x', mimeType: 'text/plain', blob: held.toString('base64') };
  const content = [{ type: 'resource', resource }];
  const { text, faults } = await answering({ isError: true, content }, { headers: { 'x-api-key': GIVEN } });
  const blob = /"blob":"([^"]*)"/.exec(text)?.[1] ?? '';
  expect(blob).toMatch(/^[A-Za-z0-9+/]+={0,2}$/);
  expect(Buffer.from(blob, 'base64').toString()).toBe(LOG.replace(GIVEN, '[hidden]'));
  expect(readings(faults)).not.toMatch(/horse|\*\*\*/);
});

it.each([
  ['UTF-8', behind(0x89, 1, 0), Buffer.from(GIVEN)],
  ['Latin 1', behind(0x89, 1, 0), latin(GIVEN)],
  ['UTF-16', behind(0x89, 1, 0), wide(GIVEN)],
  ['UTF-16, the other way round', behind(0x89, 1, 2), wide(GIVEN).swap16()],
  ['what only begins as UTF-16 does', behind(0xff, 0xfe), Buffer.from(GIVEN)],
])('it is overwritten in other bytes, and nothing else: %s', async (_what, before, secret) => {
  const whole = (middle: Buffer): string =>
    Buffer.concat([before, middle, behind(0xff, 7)]).toString('base64');
  const said = whole(secret).replace(/.{16}/g, '$& \t*\n');
  const block = { type: 'image', mimeType: 'image/png', data: said };
  const { text } = await answering({ isError: true, content: [block] }, { headers: { 'x-api-key': GIVEN } });
  const left = whole(Buffer.from(secret.map((byte) => (byte === 0 ? 0 : 42))));
  expect(text).toContain(JSON.stringify({ ...block, data: left }));
});

it('bytes without a secret, and those of a success, leave as they came', async () => {
  const noise = Buffer.from(
    Array.from({ length: 30_000 }, (_, at) => (Math.imul(at, 2_654_435_761) >>> 13) & 255),
  );
  const clean = { type: 'image', mimeType: 'image/png', data: noise.toString('base64') };
  const failed = await answering({ isError: true, content: [clean] });
  expect(failed.text).toContain(JSON.stringify(clean));
  const spoken = { type: 'image', mimeType: 'image/png', data: latin(`\0token ${TOKEN}`).toString('base64') };
  expect((await answering({ content: [spoken] })).text).toContain(JSON.stringify(spoken));
});

it('with `redaction: off` nothing is taken out of them', async () => {
  const spoken = { type: 'image', mimeType: 'image/png', data: latin(`\0token ${TOKEN}`).toString('base64') };
  const { text } = await answering({ isError: true, content: [spoken] }, { redaction: 'off' });
  expect(text).toContain(JSON.stringify(spoken));
});
