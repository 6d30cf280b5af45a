/** The rendering for the developer of a client or a server: everything the fault holds, one fact a line. */

import type { Fault } from '../fault.ts';
import { dotted } from '../issue-path.ts';
import { TRAITS } from '../kinds.ts';
import { adviceFor } from './for-model.ts';

/** A fault, spelled out for whoever has to fix its cause. */
export function forDeveloper(fault: Fault): string {
  const { retry, native } = fault;
  const lines = [
    `${TRAITS[fault.kind].title} (${fault.kind}${fault.name === undefined ? '' : `, ${fault.name}`}): ${fault.message}`,
    line('subject', fault.subject && [fault.subject.type, fault.subject.id].filter(Boolean).join(' ')),
    ...fault.issues.map(({ path, message, code }) =>
      line('issue', `${dotted(path) || '(root)'}: ${message}${code === undefined ? '' : ` [${code}]`}`),
    ),
    line(
      'reaction',
      `${fault.reaction}; ${fault.retryable ? 'may be retried' : 'not to be retried'}, ${retry.when}`,
    ),
    line('wait', retry.afterMs === undefined ? undefined : `${retry.afterMs} ms`),
    line('executed', fault.executed),
    line('origin', fault.origin),
    line('details', fault.details && JSON.stringify(fault.details)),
    line('said in', native && `${native.dialect}${native.code === undefined ? '' : ` as ${native.code}`}`),
    line('id', fault.correlationId),
    line('next', adviceFor(fault)),
  ];
  return lines.filter((text) => text !== undefined).join('\n');
}

function line(name: string, value: string | undefined): string | undefined {
  return value === undefined || value === '' ? undefined : `  ${name.padEnd(8)} ${value}`;
}
