import { resultCheck, type SizeOptions, sizeCheck } from '@mayday/policy';
import { expectKnown, expectPositive } from '../options-check.ts';
import type { Guard } from './guard.ts';
import { enforce, throwIfAny } from './request-call.ts';

export type { SizeOptions };

const OPTIONS = ['maxArgumentBytes', 'maxDepth', 'maxResultBytes'];

/** Refuses arguments that are too large or too deep with `too_large`, and results that nobody could take. */
export function sizeLimits(options: SizeOptions): Guard {
  expectKnown(options, OPTIONS, 'sizeLimits');
  if (Object.keys(options).length === 0)
    throw new TypeError(
      `Expected \`sizeLimits\` to be given one of ${OPTIONS.join(', ')}: it limits nothing by itself`,
    );
  for (const [name, value] of Object.entries(options)) expectPositive(value, name);
  const check = sizeCheck(options);
  const checkResult = resultCheck(options);
  return {
    name: 'size',
    before: (request) => enforce(check, request),
    result: (_request, result) => throwIfAny(checkResult(result)),
  };
}
