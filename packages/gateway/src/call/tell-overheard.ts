/** What a server said while a call waited, and may have been its answer, is told when no answer comes. */
import { after } from '@mayday/policy';
import { overheardBy, type WirePolicy, withSilence } from '@mayday/relay';
import type { SentSecrets } from './hide-sent.ts';
import type { Hide } from './hiding.ts';

/** Adds to calls that ended without an answer what was said meanwhile without naming a request; `hide` is for those words, and so is what the call was `sent` with. */
export function tellOverheard(
  hide: Hide = (words) => words,
  sent?: Pick<SentSecrets, 'hiderOf'>,
): WirePolicy {
  return after((outcome, call) => {
    if (outcome.ok || outcome.refused !== undefined || outcome.value?.type !== 'nothing') return outcome;
    const heard = overheardBy(call);
    if (heard === undefined) return outcome;
    const { fault } = outcome;
    const { silence, words } = heard;
    if (silence !== undefined) return { ...outcome, fault: withSilence(fault, silence) };
    const hideSent = sent?.hiderOf(call) ?? ((said: string) => said);
    const said =
      words === undefined
        ? 'while the call waited, the server sent an error that names no request'
        : `while the call waited, the server said without naming a request: ${hideSent(hide(words))}`;
    return { ...outcome, fault: { ...fault, message: `${fault.message}; ${said}` } };
  });
}
