import { causeOf, FaultError, faultOf, saidExecuted } from '@mayday/core';

/** The same, whose `executed: 'no'` holds for what threw it: a handler around that may have done something before. */
export function ofThisAlone(refused: unknown): unknown {
  const told = faultOf(refused);
  if (told === undefined || saidExecuted(refused) !== 'no') return refused;
  return new FaultError(told, { cause: causeOf(refused) ?? refused, saidKind: true });
}
