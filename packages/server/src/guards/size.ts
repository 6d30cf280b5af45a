import { type SizeOptions as Limits, resultCheck, sizeCheck } from '@mayday/policy';
import type { Call } from '../call.ts';
import { expectKnown, expectMethodNames, expectPositive } from '../options-check.ts';
import { isAlone } from './alone.ts';
import type { Guard } from './guard.ts';
import { enforce, type RequestCall, throwIfAny } from './request-call.ts';

/** How much a request may carry. */
export interface SizeOptions extends Limits {
  /** The methods that it is for; every request that reaches what the server's author wrote, if absent. */
  readonly methods?: readonly string[] | 'all' | undefined;
}

const LIMITS = ['maxArgumentBytes', 'maxDepth', 'maxResultBytes'];

/** Refuses arguments that are too large or too deep with `too_large`, and results that nobody could take. */
export function sizeLimits(options: SizeOptions): Guard {
  expectKnown(options, [...LIMITS, 'methods'], 'sizeLimits');
  const { methods, ...limits } = options;
  if (Object.keys(limits).length === 0)
    throw new TypeError(
      `Expected \`sizeLimits\` to be given one of ${LIMITS.join(', ')}: it limits nothing by itself`,
    );
  for (const [name, value] of Object.entries(limits)) expectPositive(value, name);
  expectMethodNames(methods, 'methods');
  const check = sizeCheck<RequestCall>(limits);
  const checkParameters = sizeCheck<RequestCall>(limits, 'parameters');
  const checkResult = resultCheck(limits);
  return {
    name: 'size',
    methods,
    before: (request) =>
      hasArguments(request)
        ? enforce(check, request, request.arguments ?? {})
        : enforce(checkParameters, request, parametersOf(request)),
    result: (_request, result) => throwIfAny(checkResult(result)),
  };
}

function hasArguments(request: Call): boolean {
  return request.method === 'tools/call' || request.method === 'prompts/get' || isAlone(request);
}

/** What the author's handler is given of a request that has no arguments: an address, a part of a word. */
function parametersOf({ message }: Call): object {
  const { _meta, ...parameters } = message.params ?? {};
  return parameters;
}
