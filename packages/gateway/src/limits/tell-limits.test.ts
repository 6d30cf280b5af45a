import { answered, type Back, OpenQuestions, type WireCall } from '@mayday/relay';
import { expect, it } from 'vitest';
import { wireCall } from '../../test/calls.ts';
import { tellLimits } from './tell-limits.ts';

const done = async () => answered({ body: Buffer.from('{}'), status: 200, headers: {}, isStream: false });

it('leaves the questions of a call where its time limit finds them', async () => {
  const asks = new OpenQuestions(Date.now);
  const call = wireCall({ name: 'pay' });
  const seen: (Back['asks'] | undefined)[] = [];
  const handle = tellLimits()(async (made: WireCall) => {
    seen.push(made.back.asks);
    return done();
  });
  await handle({ ...call, back: { ...call.back, asks } });
  expect(seen).toEqual([asks]);
});
