import { makeFault } from '@mayday/core';
import { adviceFor } from '@mayday/core/render';
import { describe, expect, it } from 'vitest';
import { settingsFrom } from '../options.ts';
import type { Message } from '../shapes.ts';
import { type BesideOptions, beside } from './beside.ts';
import { hasClaims, withoutClaims } from './claims.ts';

const FAULT = makeFault({ kind: 'not_found', message: 'No order 7' });
const ADVICE = adviceFor(FAULT);
const text = (value: string) => ({ type: 'text', text: value });
const IMAGE = { type: 'image', mimeType: 'image/png', data: 'iVBORw0KGgo=' };

/** The author's result, with what a dialect wrote about it. */
function joined(written: object, said: object, options: Partial<BesideOptions> = {}): Message {
  const whole = {
    advised: true,
    keepsContent: true,
    structuredContent: true,
    safe: settingsFrom(),
    ...options,
  };
  return beside(
    { jsonrpc: '2.0', id: 1, ...written },
    { jsonrpc: '2.0', id: 1, result: said as never },
    FAULT,
    whole,
  );
}

describe('our words beside the author’s', () => {
  it('follow them, where they are understood and do not say it already', () => {
    const content = [text('No order 7'), IMAGE];
    const ours = { result: { content: [text('ours')], isError: true } };
    expect(joined(ours, { content }).result).toEqual({ isError: true, content: [...content, text(ADVICE)] });
    expect(joined(ours, { content }, { advised: false }).result?.['content']).toEqual(content);
    const told = [IMAGE, text(`No order 7. ${ADVICE}`)];
    expect(joined(ours, { content: told }).result?.['content']).toEqual(told);
    expect(joined(ours, { content: 'odd' }).result?.['content']).toEqual([text(ADVICE)]);
  });

  it('stay what they were in a dialect that says something of its own, which speaks where they do not', () => {
    const ours = { result: { content: [text('Not found: No order 7')], isError: true } };
    const content = [text('{"code":404}'), IMAGE];
    expect(joined(ours, { content }, { keepsContent: false }).result?.['content']).toEqual([
      text('{"code":404}'),
      IMAGE,
      text(ADVICE),
    ]);
    expect(joined(ours, { content: [] }, { keepsContent: false }).result?.['content']).toEqual([
      text('Not found: No order 7'),
    ]);
  });

  it('leave structured content as it was, or as a text where clients cannot take it', () => {
    const said = { content: [text('a')], structuredContent: { order: 7 } };
    const ours = { result: { structuredContent: { ours: 1 } } };
    const quiet = { advised: false };
    expect(joined(ours, said, quiet).result).toEqual({
      content: [text('a')],
      structuredContent: { order: 7 },
    });
    expect(joined(ours, { content: [] }, quiet).result).toEqual({
      content: [],
      structuredContent: { ours: 1 },
    });
    const moved = joined(ours, said, { ...quiet, structuredContent: false }).result;
    expect(moved).toEqual({ content: [text('a'), text('{"order":7}')] });
    const twice = { ...said, content: [text('{"order":7}')] };
    expect(joined(ours, twice, { ...quiet, structuredContent: false }).result).toEqual({
      content: [text('{"order":7}')],
    });
    expect(joined({ result: {} }, { content: [] }, quiet).result).toEqual({ content: [] });
  });

  it('keep every other member and the meta; what the meta claims of a failure is put right', () => {
    const ours = { result: { resultType: 'complete', extra: 1, _meta: { ours: 1, both: 'ours' } } };
    const said = { content: [], own: 2, _meta: { theirs: 1, both: 'theirs' } };
    const quiet = { advised: false };
    expect(joined(ours, said, quiet).result).toEqual({
      content: [],
      own: 2,
      extra: 1,
      _meta: { theirs: 1, ours: 1, both: 'ours' },
    });
    const claiming = { content: [], _meta: { 'dev.mayday/fault': { kind: 'timeout' } } };
    expect(joined({ result: {} }, claiming, quiet).result?.['_meta']).toMatchObject({
      'dev.mayday/fault': { kind: 'not_found', message: 'No order 7' },
    });
    expect(joined({ result: {} }, { content: [] }, quiet).result).not.toHaveProperty('_meta');
  });

  it('go into the data of a protocol error, as far as they are more than words', () => {
    const error = { code: -32603, message: 'x', data: { a: 1 } };
    const said = { content: [text('a'), IMAGE], structuredContent: { order: 7 } };
    expect(joined({ error }, said).error).toEqual({
      ...error,
      data: { a: 1, 'dev.mayday/error': { content: [IMAGE], structuredContent: { order: 7 } } },
    });
    expect(joined({ error: { code: 1, message: 'x' } }, { structuredContent: { b: 1 } }).error).toEqual({
      code: 1,
      message: 'x',
      data: { 'dev.mayday/error': { structuredContent: { b: 1 } } },
    });
    expect(joined({ error }, { content: [text('a')] }).error).toEqual(error);
    const flat = { code: 1, message: 'x', data: 'flat' };
    expect(joined({ error: flat }, said).error).toEqual(flat);
    expect(joined({}, said)).toEqual({ jsonrpc: '2.0', id: 1 });
  });
});

describe('a claim of a failure', () => {
  const KEYS = ['dev.mayday/fault', 'dev.mayday/problem', 'io.modelcontextprotocol/toolFailure'];

  it('is one of three members of a meta', () => {
    for (const key of KEYS) expect([key, hasClaims({ [key]: 1 })]).toEqual([key, true]);
    for (const meta of [undefined, null, 'dev.mayday/fault', {}, { other: 1 }])
      expect(hasClaims(meta)).toBe(false);
  });

  it('does not leave with a success', () => {
    const sent = (_meta?: object) => ({ jsonrpc: '2.0' as const, id: 1, result: { a: 1, _meta } as never });
    const claims = Object.fromEntries(KEYS.map((key) => [key, 1]));
    expect(withoutClaims(sent({ ...claims, other: 1 })).result).toEqual({ a: 1, _meta: { other: 1 } });
    expect(withoutClaims(sent(claims)).result).toEqual({ a: 1 });
    for (const fine of [sent({ other: 1 }), sent(), { jsonrpc: '2.0' as const }])
      expect(withoutClaims(fine)).toBe(fine);
  });
});
