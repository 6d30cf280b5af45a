import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { startCall } from './call.ts';
import { canonicalJson, fingerprintOf } from './fingerprint.ts';
import { sha256 } from './sha256.ts';

it('digests as everybody else does', () => {
  expect(sha256('')).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
      return sha256(text) === createHash('sha256').update(text.toWellFormed()).digest('hex');
    }),
  );
});

it('does not take a list of pairs for an object', () => {
  expect(canonicalJson([['to', 'bob']])).toBe('[["to","bob"]]');
  expect(canonicalJson({ to: 'bob' })).toBe('{"to":"bob"}');
  const call = (args: unknown) =>
    fingerprintOf(startCall({ upstream: 'bank', target: 'pay', arguments: args }));
  expect(call([['to', 'bob']])).not.toBe(call({ to: 'bob' }));
});

it('is the same in whatever order the members come, at any depth', () => {
  expect(canonicalJson({ b: [{ d: 1, c: null }], a: 'x' })).toBe('{"a":"x","b":[{"c":null,"d":1}]}');
});

it('is the same exactly for the same values', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (left, right) => {
      const same = canonicalJson(left) === canonicalJson(right);
      return same === isSame(left, right);
    }),
    { numRuns: 1000 },
  );
});

function isSame(left: unknown, right: unknown): boolean {
  if (Array.isArray(left) || Array.isArray(right) || typeof left !== 'object' || left === null) {
    if (!Array.isArray(left) || !Array.isArray(right)) return left === right || (left === 0 && right === 0);
    return left.length === right.length && left.every((child, at) => isSame(child, right[at]));
  }
  if (typeof right !== 'object' || right === null) return false;
  const keys = Object.keys(left);
  return (
    keys.length === Object.keys(right).length &&
    keys.every(
      (key) =>
        Object.hasOwn(right, key) &&
        isSame((left as Record<string, unknown>)[key], (right as Record<string, unknown>)[key]),
    )
  );
}

it('tells upstreams, targets and methods apart', () => {
  const calls = [
    { upstream: 'a', target: 'b' },
    { upstream: 'ab', target: '' },
    { upstream: 'a', target: 'b', method: 'prompts/get' },
    { upstream: 'a' },
  ];
  expect(new Set(calls.map((call) => fingerprintOf(startCall(call)))).size).toBe(4);
});

it('says so when a value is nested too deeply to be compared', () => {
  let deep: unknown = 1;
  for (let level = 0; level < 200_000; level += 1) deep = [deep];
  expect(() => canonicalJson(deep)).toThrow(RangeError);
});
