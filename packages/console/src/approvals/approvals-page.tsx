/** Calls that wait for a person's consent. */
import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { ask, type Trouble } from '../api/ask.ts';
import type { ApprovalDocument } from '../api/documents.ts';
import type { Polled } from '../api/polled.ts';
import { isOfKey, key, signOut } from '../api/session.ts';
import { Asked } from '../parts/dialog.tsx';
import { Empty, Facts, Foreign, Notice, Time } from '../parts/parts.tsx';
import { visible } from '../text/visible.ts';
import { Arguments } from './arguments.tsx';

/** What can be decided. */
type Decision = 'approve' | 'reject';

/** What waits. */
export type Waiting = Polled<{ readonly approvals: readonly ApprovalDocument[] }>;

/** A decision about to be made. */
interface Chosen {
  readonly approval: ApprovalDocument;
  readonly decision: Decision;
}

/** The page. */
export function ApprovalsPage({ waiting }: { readonly waiting: Waiting }): VNode {
  const chosen = useSignal<Chosen | undefined>(undefined);
  const isBusy = useSignal(false);
  const done = useSignal('');
  const failed = useSignal<Trouble | undefined>(undefined);
  const { data, trouble, again } = waiting;

  const decide = async ({ approval, decision }: Chosen): Promise<void> => {
    isBusy.value = true;
    const path = `approvals/${encodeURIComponent(approval.id)}/${decision}`;
    const answer = await ask(path, { key: key.value, isChange: true });
    isBusy.value = false;
    chosen.value = undefined;
    failed.value = 'trouble' in answer ? undecided(answer.trouble) : undefined;
    if ('trouble' in answer && isOfKey(answer.trouble) && answer.trouble.status === 401)
      return signOut(answer.trouble);
    done.value = 'ok' in answer ? wordsOf(decision, approval) : '';
    again();
  };

  return (
    <>
      <h1>Approvals</h1>
      <p role="status">{done.value}</p>
      <Notice trouble={failed.value ?? trouble} />
      {data?.approvals.length === 0 && (
        <Empty>No call waits for consent. One that needs it appears here by itself.</Empty>
      )}
      {data === undefined && trouble === undefined && <Empty>Looking…</Empty>}
      <ul class="cards">
        {data?.approvals.map((approval) => (
          <Card
            key={approval.id}
            approval={approval}
            onChoose={(decision) => {
              chosen.value = { approval, decision };
            }}
          />
        ))}
      </ul>
      {chosen.value !== undefined && (
        <Confirmation
          chosen={chosen.value}
          isBusy={isBusy.value}
          onYes={(what) => void decide(what)}
          onNo={() => {
            chosen.value = undefined;
          }}
        />
      )}
    </>
  );
}

/** A decision is made once, by a person: nobody tries it again. */
function undecided(trouble: Trouble): Trouble {
  if (trouble.status !== 0) return trouble;
  return {
    ...trouble,
    advice:
      'Whether it heard of your decision is not known. When it answers again, look whether the call still waits.',
  };
}

function wordsOf(decision: Decision, { tool, caller }: ApprovalDocument): string {
  const call = `${visible(tool)} of ${visible(caller ?? 'a caller without a name')}`;
  return decision === 'approve'
    ? `Approved: ${call} goes through once, when it is called again.`
    : `Denied: ${call}. Its caller is told so.`;
}

interface CardProps {
  readonly approval: ApprovalDocument;
  readonly onChoose: (decision: Decision) => void;
}

function Card({ approval, onChoose }: CardProps): VNode {
  const { caller, tool, asked_at, expires_at } = approval;
  return (
    <li class="card">
      <h2>
        <Foreign text={tool} />
      </h2>
      <Facts
        of={[
          ['Caller', <Foreign key="caller" text={caller ?? 'without a name'} />],
          ['Asked', <Time key="asked" at={asked_at} />],
          ['Over', <Time key="over" at={expires_at} />],
          ['Id', <Foreign key="id" text={approval.id} />],
        ]}
      />
      <Arguments label={`Arguments of ${visible(tool)}`} of={approval.arguments} />
      <div class="buttons">
        <button type="button" class="primary" onClick={() => onChoose('approve')}>
          Approve
        </button>
        <button type="button" onClick={() => onChoose('reject')}>
          Deny
        </button>
      </div>
    </li>
  );
}

interface ConfirmationProps {
  readonly chosen: Chosen;
  readonly isBusy: boolean;
  readonly onYes: (chosen: Chosen) => void;
  readonly onNo: () => void;
}

/** What was read when the button was pressed is what is decided, whatever comes in meanwhile. */
function Confirmation({ chosen, isBusy, onYes, onNo }: ConfirmationProps): VNode {
  const { approval, decision } = chosen;
  const isApproval = decision === 'approve';
  return (
    <Asked
      title={isApproval ? 'Let this call through, once?' : 'Deny this call?'}
      action={isApproval ? 'Approve the call' : 'Deny the call'}
      isDanger={!isApproval}
      isBusy={isBusy}
      onYes={() => onYes(chosen)}
      onNo={onNo}
    >
      <p>
        <Foreign text={approval.tool} />, called by{' '}
        <Foreign text={approval.caller ?? 'a caller without a name'} />.
        {isApproval
          ? ' Your name goes to the audit log.'
          : ' Its caller is told. Your name goes to the audit log.'}
      </p>
      <Arguments label="Arguments" of={approval.arguments} />
    </Asked>
  );
}
