import { expect, it } from 'vitest';
import * as policy from './index.ts';

it('exports these names, and no others', () => {
  expect(Object.keys(policy).sort()).toEqual(
    [
      [
        'admit',
        'after',
        'compose',
        'refuse',
        'startCall',
        'stillSafe',
        'executedSoFar',
        'worse',
        'faultInThrown',
        'bounded',
      ],
      ['systemClock', 'systemRandom', 'sleep', 'openScope', 'either', 'joinListeners'],
      [
        'canonicalJson',
        'fingerprintOf',
        'sha256',
        'addLast',
        'dropOldest',
        'setLast',
        'hush',
        'integer',
        'lifetime',
        'milliseconds',
        'share',
        'onlyKnown',
        'flag',
        'callable',
        'members',
        'nearestTo',
      ],
      ['run', 'resilience', 'sender', 'withRetries', 'DEADLINE_MS', 'createUpstream', 'upstreamOf'],
      ['retry', 'createBudget', 'createBudgetByCaller', 'hedge', 'deadline', 'paced', 'createPace'],
      ['passing', 'Misused', 'countedUnder', 'placeIn'],
      [
        'circuit',
        'circuitDoor',
        'createCircuits',
        'createCircuitsByCaller',
        'createBreaker',
        'targetVerdict',
        'upstreamVerdict',
      ],
      [
        'rate',
        'rateCheck',
        'bucketLevel',
        'costOf',
        'createMemoryRateStore',
        'concurrency',
        'createMemoryPlaces',
      ],
      ['size', 'sizeCheck', 'resultCheck', 'scopes', 'scopesCheck', 'keys', 'identifier', 'digestKey'],
      ['approval', 'approvalDesk', 'createMemoryApprovals'],
      ['idempotency', 'createMemoryIdempotency', 'jsonAnswers', 'finalUnderKey', 'isKeyUnknown'],
    ]
      .flat()
      .sort(),
  );
});
