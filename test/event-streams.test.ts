/**
 * Events are taken apart in two places: in the relay as bytes, as fast as Node can, and in the client as text, wherever
 * JavaScript runs. Both must see the same events, whatever ends their lines and wherever a stream is cut.
 */

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { mendStream } from '../packages/client/src/http/event-stream.ts';
import { QUIET_EXCHANGE } from '../packages/client/test/quiet-exchange.ts';
import { splitEvents } from '../packages/relay/src/framing/events.ts';

const EOL = fc.constantFrom('\n', '\r\n', '\r');
const BESIDE = [': ping', 'event: message', 'retry: 5'];
const beside = fc.constantFrom(...BESIDE);
const any = fc.constantFrom(...BESIDE, 'data: {"method":"x"}', 'data:\u2028id: 1');
const ANSWER = 'data: {"jsonrpc":"2.0","id":7,"result":{"ok":true}}';

/** Lines and an end for each; the empty line that ends an event has one of its own. */
const event = (line: fc.Arbitrary<string>, ...more: fc.Arbitrary<string>[]): fc.Arbitrary<string> =>
  fc.tuple(fc.array(line, { minLength: 1, maxLength: 2 }), ...more).chain(([lines, ...own]) =>
    fc
      .array(EOL, { minLength: lines.length + own.length + 1, maxLength: lines.length + own.length + 1 })
      .filter((ends) => ends.slice(-2).join('|') !== '\r|\n') // these two would be one end
      .map((ends) => [...lines, ...own, ''].map((text, i) => text + ends[i]).join('')),
  );

const stream = fc
  .tuple(fc.array(event(any), { maxLength: 4 }), event(beside, fc.constant(ANSWER)))
  .map(([before, answer]) => [...before, answer].join(''));

async function throughClient(text: string, cuts: readonly number[]): Promise<Buffer> {
  const bytes = Buffer.from(text);
  const at = [0, ...cuts.map((cut) => cut % bytes.length).sort((a, b) => a - b), bytes.length];
  const chunks = at.slice(1).map((end, i) => bytes.subarray(at[i], end));
  const exchange = { ...QUIET_EXCHANGE };
  const mended = mendStream(ReadableStream.from(chunks) as ReadableStream<Uint8Array>, {
    id: 7,
    maxBytes: 100_000,
    exchange,
    began: () => undefined,
    beside: () => undefined,
  });
  return Buffer.from(await new Response(mended).arrayBuffer());
}

const said = (run: Buffer): unknown[] =>
  splitEvents(run)
    .map(({ data }) => data.toString())
    .filter((data) => data !== '');

it('the client passes on the events that the relay sees, and adds nothing to them', async () => {
  await fc.assert(
    fc.asyncProperty(stream, fc.array(fc.nat(), { maxLength: 5 }), async (text, cuts) => {
      const answered = said(Buffer.from(text));
      const passed = said(await throughClient(text, cuts));
      expect(passed.slice(0, -1)).toEqual(answered.slice(0, -1));
      expect(JSON.stringify(passed.at(-1))).toContain('result');
      expect(passed).toHaveLength(answered.length);
    }),
  );
});
