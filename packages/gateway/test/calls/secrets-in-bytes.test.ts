/** The bytes of a failing result's blocks lose their secrets, in whatever encoding, for the caller and for the operator. */
import { afterEach, expect, it } from 'vitest';
import { callTool, cleanUp, json, open, post, upstream } from '../tools.ts';

afterEach(cleanUp);

const TOKEN = 'ghp_aB3dE5gH7jK9mN1pQ3rS5tU7vW9xY1zA2bC4';

/** A gateway before a server that answers with this. */
async function answering(result: object, upstreamMore: object = {}) {
  const { url } = await upstream((body, response) => {
    const { id } = JSON.parse(body) as { id: number };
    json(response, 200, { jsonrpc: '2.0', id, result });
  });
  const gateway = await open({ upstreams: { u: { url, ...upstreamMore } } });
  const { text } = await post(`${gateway.url}/u/mcp`, callTool('t', {}));
  const faults = await (await fetch(`${gateway.url}/-/faults?limit=1000`)).text();
  return { text, faults };
}

/** All that somebody reads who takes every base64 in it apart. */
function readings(text: string): string {
  const held = [...text.matchAll(/[A-Za-z0-9+/]{24,}={0,2}/g)].map(([found]) => Buffer.from(found, 'base64'));
  return [text, ...held.flatMap((one) => [one.toString('latin1'), one.toString('utf16le')])].join('\n');
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
