import { EXECUTED_KEY, IDEMPOTENCY_KEY } from '@mayday/core/protocol';
import { describe, expect, it } from 'vitest';
import { settingsFrom } from '../options.ts';
import type { Extra, Message } from '../shapes.ts';
import { keyOf, once } from './once.ts';
import type { Worked } from './once-outcome.ts';
import { RequestState } from './request-state.ts';

const settings = settingsFrom();
const server = { settings, identity: { name: 's', version: '1' }, connection: 'c' } as never;

function stateOf(meta: object = {}, extra?: Extra, tool?: object): RequestState {
  const params = { name: 't', arguments: { a: 1 }, _meta: meta };
  const message: Message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
  return new RequestState({ toolFacts: () => tool as never }, message, extra, 0);
}

const result = (text: string): Worked => ({ result: { content: [text] }, replayed: false });

describe('a key, or what is said about it, that nobody could go by', () => {
  const never = async (): Promise<Worked> => {
    throw new Error('It ran');
  };

  it.each([[7], [null], [{}], [['k']]])('%j is refused in our own words, before the work', async (key) => {
    expect(await once(stateOf(), server, key, never)).toMatchObject({
      failure: {
        began: false,
        ours: true,
        thrown: {
          message: 'An idempotency key is a string of 1 to 255 characters',
          fault: { kind: 'invalid_arguments', subject: { type: 'key' }, executed: 'no' },
        },
      },
    });
  });

  it.each([['perhaps'], [true], [7]])('an attempt that was %j', async (said) => {
    const ended = await once(stateOf({ [EXECUTED_KEY]: said }), server, 'odd', never);
    expect(ended).toMatchObject({
      failure: {
        began: false,
        ours: true,
        thrown: { message: '`dev.mayday/executed` is "no", "maybe" or "yes"', fault: { executed: 'no' } },
      },
    });
  });
});

describe('a repeat of which the first is not known here', () => {
  it.each(['maybe', 'yes'])('is not made when the first was made: %s', async (said) => {
    const ran: string[] = [];
    const ended = await once(stateOf({ [EXECUTED_KEY]: said }), server, `orphan ${said}`, async () => {
      ran.push(said);
      return result('x');
    });
    expect(ran).toEqual([]);
    expect(ended).toMatchObject({
      failure: {
        began: true,
        ours: true,
        asTool: true,
        thrown: {
          message: 'Nothing is known here of the first call with this idempotency key; it was not made again',
          fault: {
            kind: 'disconnected',
            subject: { type: 'key' },
            retryable: false,
            executed: 'maybe',
            advice: 'It may have happened; check before you repeat a change.',
          },
        },
      },
    });
  });

  it.each([['no'], [null], [undefined]])('is made when the first was not: %s', async (said) => {
    const state = stateOf(said === undefined ? {} : { [EXECUTED_KEY]: said });
    expect(await once(state, server, `fresh ${said}`, async () => result('made'))).toEqual(result('made'));
  });
});

it('makes a call once, and gives its answer to who asks again', async () => {
  let runs = 0;
  const work = async (): Promise<Worked> => result(`run ${++runs}`);
  const ask = () => once(stateOf(), server, 'twice', work);
  expect(await ask()).toEqual({ result: { content: ['run 1'] }, replayed: false });
  expect(await ask()).toMatchObject({ result: { content: ['run 1'] }, replayed: true });
  expect(runs).toBe(1);
});

it('does not do again what has asked for a visit to a page, unless it only reads', async () => {
  const runs: string[] = [];
  const error = { code: -32042, message: 'Sign in first' };
  const ask = (key: string, tool?: object) =>
    once(stateOf({}, undefined, tool), server, key, async (): Promise<Worked> => {
      runs.push(key);
      return { error };
    });
  const reads = { annotations: { readOnlyHint: true } };
  expect([await ask('write'), await ask('write')]).toEqual([{ error }, { error }]);
  expect([await ask('read', reads), await ask('read', reads)]).toEqual([{ error }, { error }]);
  expect(runs).toEqual(['write', 'read', 'read']);
});

it('does not begin what nobody waits for', async () => {
  const state = stateOf();
  state.over = true;
  const ended = await once(state, server, 'nobody', async () => result('x'));
  expect(ended).toMatchObject({
    failure: { began: false, thrown: { message: 'Nobody waits for it any more', fault: { executed: 'no' } } },
  });
});

it('has no key where the server or the tool has opted out', () => {
  const keyed = { [IDEMPOTENCY_KEY]: 'k' };
  expect(keyOf(stateOf(keyed), settings)).toBe('k');
  expect(keyOf(stateOf(keyed), settingsFrom({ idempotency: false }))).toBeUndefined();
  const tool = { _meta: { [IDEMPOTENCY_KEY]: false } };
  expect(keyOf(stateOf(keyed, undefined, tool), settings)).toBeUndefined();
  expect(keyOf(stateOf(), settings)).toBeUndefined();
});
