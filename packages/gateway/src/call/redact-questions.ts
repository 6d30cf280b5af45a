/** An answer of 2026-07-28 that asks the caller for something is a question of the server: it is read by people. */
import { after } from '@mayday/policy';
import { isMembers, type Members, type WirePolicy } from '@mayday/relay';
import { mendParams } from './mend.ts';
import { mendQuestions } from './mend-answer.ts';

/** Takes secrets out of what servers ask for; every other answer passes as it came. */
export function redactQuestions(): WirePolicy {
  return after((outcome, call) => {
    if (call.revision !== '2026-07-28' || !outcome.ok || outcome.value.type !== 'answer') return outcome;
    return { ...outcome, value: mendQuestions(outcome.value, safe) };
  });
}

function safe(asked: Members): Members {
  const safely = Object.entries(asked).map(
    ([name, request]) => [name, isMembers(request) ? mendRequest(request) : request] as const,
  );
  return safely.some(([name, request]) => asked[name] !== request) ? Object.fromEntries(safely) : asked;
}

/** A question without secrets; the same object where it holds none. */
export function mendRequest(request: Members): Members {
  if (!isMembers(request['params'])) return request;
  const params = mendParams(request['params']);
  return params === request['params'] ? request : { ...request, params };
}
