import { expect, it } from 'vitest';
import type { CallEnded } from './call.ts';
import { createInFlight } from './in-flight.ts';

const MINUTES = 600_000;

it('whoever drains it settles when nothing is open any more', async () => {
  const inFlight = createInFlight();
  const release = inFlight.add(new AbortController());
  const drains = [inFlight.drain(MINUTES), inFlight.drain(MINUTES)];
  release();
  await Promise.all(drains);
  expect(inFlight.size).toBe(0);
});

it('what was to be waited for longer is ended with whoever waits least', async () => {
  const inFlight = createInFlight();
  const ender = new AbortController();
  const release = inFlight.add(ender);
  ender.signal.addEventListener('abort', release);
  const longer = inFlight.drain(MINUTES);
  await inFlight.drain(10);
  await longer;
  expect((ender.signal.reason as CallEnded).fault.message).toBe(
    'The gateway stopped before the server answered',
  );
});

it('waits no longer than the last word takes for what does not end', async () => {
  const inFlight = createInFlight();
  inFlight.add(new AbortController());
  const longer = inFlight.drain(MINUTES);
  await inFlight.drain(10);
  await longer;
  expect(inFlight.size).toBe(1);
});

it('settles at once where nothing is open', async () => {
  const inFlight = createInFlight();
  inFlight.add(new AbortController())();
  await inFlight.drain(MINUTES);
  expect(inFlight.size).toBe(0);
});

it('ends what never ends by itself, and nothing else', async () => {
  const inFlight = createInFlight();
  const [standing, call] = [new AbortController(), new AbortController()];
  inFlight.add(standing, true);
  inFlight.add(call);
  inFlight.endStanding(10);
  await new Promise((resolve) => standing.signal.addEventListener('abort', resolve));
  expect(call.signal.aborted).toBe(false);
});
