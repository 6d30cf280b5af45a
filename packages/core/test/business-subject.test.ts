/** A thing of an application's says what a failure is about, and changes nothing else of it. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { threadClock } from '../../../bench/measure.ts';
import { runs } from '../../../test/runs.ts';
import type { JsonRpcWire } from '../src/dialects/dialect.ts';
import { DIALECTS } from '../src/dialects/index.ts';
import { endpointGone } from '../src/entries/http.ts';
import { redactFault } from '../src/entries/redact.ts';
import { type DialectId, KIND_NAMES, makeFault, read, write } from '../src/index.ts';
import { readProse } from '../src/prose/index.ts';
import { THINGS } from '../src/prose/things.fixture.ts';
import { thingIn } from '../src/prose/things.ts';
import { faults } from './arbitraries.ts';
import { formedBy } from './helpers.ts';

const NOW = Date.parse('2026-04-26T02:34:56Z');
const ids: readonly DialectId[] = DIALECTS.map((dialect) => dialect.id);

/** What a program branches on. */
function codesOf(wire: unknown): readonly unknown[] {
  const { error, result, status } = wire as { [member: string]: { [member: string]: unknown } | undefined };
  return [error?.['code'], result?.['isError'], status];
}

const asTool = (text: string) => read({ isError: true, content: [{ type: 'text', text }] });
const faultOf = (value: unknown) => {
  const reading = read(value);
  return reading.failure ? reading.fault : undefined;
};

describe('a business subject', () => {
  it.each(ids)('changes no code of %s', (id) => {
    fc.assert(
      fc.property(faults, ({ subject: _their, ...said }) => {
        const plain = write(makeFault(said), id, { id: 1, now: NOW }).wire;
        const named = write(makeFault({ ...said, subject: { type: 'recipe', id: '8812' } }), id, {
          id: 1,
          now: NOW,
        }).wire;
        expect(codesOf(named)).toEqual(codesOf(plain));
      }),
      { numRuns: runs(300) },
    );
  });

  it.each(ids)('that was read loses no words in %s', (id) => {
    for (const [text] of THINGS) {
      const reading = asTool(text);
      const said = makeFault({ ...(reading as Extract<typeof reading, { failure: true }>).fault });
      const { subject: _its, ...rest } = said;
      for (const method of ['tools/call', 'resources/read']) {
        const { wire } = write(said, id, { id: 1, now: NOW, method });
        const without = write(makeFault(rest), id, { id: 1, now: NOW, method });
        expect([codesOf(wire), messageOf(wire)]).toEqual([codesOf(without.wire), messageOf(without.wire)]);
      }
    }
  });

  it.each(['closient', 'onx', 'erlmcp', 'qaqnuz', 'platica'])('changes no answer of a server of %s', (id) => {
    for (const kind of KIND_NAMES)
      for (const method of ['tools/call', 'resources/read', 'prompts/get', 'completion/complete'])
        for (const context of [
          { foreign: 'backend' as const },
          { foreign: 'somebody' as const },
          { byWords: true },
        ]) {
          const message = 'Recipe 8812 does not exist';
          const all = { method, ours: false, name: 'x', ...context };
          const plain = formedBy(id, { kind, message }, all);
          const named = formedBy(id, { kind, message, subject: { type: 'recipe', id: '8812' } }, all);
          const { error } = named;
          expect([kind, method, codesOf(named), isUri(error?.data)]).toEqual([
            kind,
            method,
            codesOf(plain),
            false,
          ]);
          expect(reasonsOf(named)).toEqual(reasonsOf(plain));
        }
  });

  it('is no address', () => {
    const said = makeFault({ kind: 'not_found', message: 'No', subject: { type: 'recipe', id: '8812' } });
    const { error } = write(said, 'erlmcp', { id: 1 }).wire as JsonRpcWire;
    expect(error?.data ?? {}).not.toHaveProperty('uri');
  });

  it('has none of the fixed names', () => {
    const fixed =
      /^(?:tool|resource|resource_template|prompt|task|cursor|session|subscription|key|tenant|upstream|header|uri|message|content|method|capability|notification|completion)$/;
    for (const type of [
      'Subscription',
      'Key',
      'Tenant',
      'Upstream',
      'Header',
      'Message',
      'Notification',
      'Capability',
    ])
      expect(thingIn('not_found', `${type} 12 does not exist`)?.type ?? '').not.toMatch(fixed);
    expect(thingIn('not_found', 'Resource template 12 does not exist')).toBeUndefined();
  });

  it('leaves a missing endpoint what it is', () => {
    const body = '{"message":"Project not found"}';
    const fault = faultOf({ http: { status: 404, headers: {}, body } });
    expect(fault?.subject).toEqual({ type: 'project' });
    const said = { status: 404, body, dialect: null, origin: 'server' } as const;
    expect(fault && endpointGone({ ...said, fault })?.kind).toBe('unavailable');
  });

  it('gives nobody away', () => {
    const idOf = (text: string) => {
      const reading = asTool(text);
      return reading.failure ? redactFault(reading.fault).subject : undefined;
    };
    expect(idOf('User anna@example.org does not exist')).toEqual({ type: 'user', id: '[email:1]' });
    expect(idOf('Customer "Anna Schmidt" not found')).toEqual({ type: 'customer' });
    expect(idOf('File "/home/anna/letter.txt" not found')?.id).not.toContain('anna');
    const taken = makeFault({
      kind: 'expired',
      message: 'Verification code 993157 has expired',
      subject: { type: 'verification', id: '993157' },
    });
    expect(redactFault(taken).subject).toEqual({ type: 'verification', id: '[otp:1]' });
    expect(thingIn('expired', 'Invite code 99-31-57 has expired')).toBeUndefined();
    expect(thingIn('expired', 'The reset link with code 993157 has expired')).toEqual({ type: 'reset_link' });
  });

  it('has a short name and a short id', () => {
    expect(thingIn('not_found', `Recipe "${'a'.repeat(121)}" not found`)).toEqual({ type: 'recipe' });
    expect(thingIn('not_found', `The ${'a'.repeat(41)} was not found`)).toBeUndefined();
  });

  it('is found in time that grows with the text', () => {
    for (const part of [
      'the ',
      'a not found ',
      '"',
      "'x' ",
      'no such ',
      'is unknown: ',
      '«',
      'l’',
      ': ',
      '( ',
    ]) {
      const since = threadClock();
      readProse(`Order 7 not found ${part.repeat(20_000)}`, { status: 404 });
      expect(threadClock() - since).toBeLessThan(500);
    }
  });
});

function isUri(data: unknown): boolean {
  return (data as { uri?: unknown } | undefined)?.uri === '8812';
}

function reasonsOf({ error }: JsonRpcWire): unknown {
  const { field, reason } = (error?.data ?? {}) as { readonly [member: string]: unknown };
  return { field, reason };
}

function messageOf(wire: unknown): unknown {
  const { error, result } = wire as { [member: string]: { [member: string]: unknown } | undefined };
  return error?.['message'] ?? result?.['content'];
}
