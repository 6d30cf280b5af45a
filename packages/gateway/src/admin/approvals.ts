/** Calls that wait for a person's consent, and the decision about them. */
import { redact } from '@mayday/core/redact';
import type { Store } from '@mayday/store';
import { approvalDocument } from './approval-document.ts';
import { type Asked, auditedFirst, no, type Operation, type Outcome, onStore, told } from './operation.ts';
import { named, ref, request } from './schemas.ts';

/** What can be decided, and how that is called once it is. */
const DECISIONS = { approve: 'approved', reject: 'rejected' } as const;

type Decision = keyof typeof DECISIONS;

/** What can be done about approvals. */
export const APPROVALS: readonly Operation[] = [
  onStore({
    id: 'listApprovals',
    method: 'GET',
    path: '/approvals',
    tag: 'approvals',
    summary: 'The calls that wait for consent, the oldest first.',
    answer: { status: 200, about: 'The calls.', schema: named('approvals', ref('Approval')) },
    faults: {},
    run: async ({ approvals }) => {
      const [waiting, key] = [await approvals.waiting(), await approvals.digestKey()];
      return told({ approvals: waiting.map((one) => approvalDocument(one, key)) });
    },
  }),
  decisionOf('approve', 'Consents to a call. It goes through once, when its caller makes it again.'),
  decisionOf('reject', 'Refuses a call. Its caller is told so.'),
];

function decisionOf(decision: Decision, summary: string): Operation {
  return onStore({
    id: `${decision}Call`,
    method: 'POST',
    path: `/approvals/{id}/${decision}`,
    tag: 'approvals',
    summary,
    parameters: { id: { type: 'string', description: 'The id of a call that waits.' } },
    body: request({}),
    answer: { status: 200, about: 'It is decided.', schema: ref('Decision') },
    faults: { 404: 'Nothing waits under this id.' },
    run: (store, asked) => decide(store, asked, decision),
  });
}

/** The row comes first: what cannot be written down is not decided. */
async function decide(store: Store, asked: Asked, decision: Decision): Promise<Outcome> {
  const { id = '' } = asked.path;
  const found = (await store.approvals.waiting()).find((one) => one.id === id);
  if (found === undefined) return gone(id);
  const { caller, tool } = approvalDocument(found, await store.approvals.digestKey());
  if (decision === 'approve' && asked.house.isByKey && caller === asked.actor) return OWN_CALL;
  const details = { caller, tool: `${found.upstream}/${redact(found.target).value}` };
  const deed = { action: `approvals.${decision}`, target: id, details };
  const isDecided = await auditedFirst(store, asked, deed, () => store.approvals[decision](id));
  if (!isDecided) return gone(id);
  return told({ id, caller, tool, decision: DECISIONS[decision] });
}

/** A program with an operator's key would need nobody's consent. */
const OWN_CALL = no(403, {
  kind: 'forbidden',
  message: 'Nobody consents to a call of their own',
  advice: 'Have another operator decide, or decide with `mayday approvals` beside the store.',
});

function gone(id: string): Outcome {
  return no(404, {
    kind: 'not_found',
    subject: { type: 'approval', id: id.slice(0, 100) },
    message: 'Nothing waits for approval under this id',
    advice: 'It was decided before, or its time is over; list what waits.',
  });
}
